/**
 * The bodies that the main thread makes of a public frame, as one text: those of visible players
 * and things, and those of hidden ones, requested by name.
 */
import type { PublicFrame } from '../../core/public/frame.ts'
import { type PublicRow, pathParams } from '../../net/public/row.ts'
import type { PublicState } from '../../net/public/state.ts'
import { PUBLIC_ROWS } from '../../net/public/table.ts'
import { usernameOf } from '../../systems/account/model.ts'
import { baseId } from '../../systems/base/model.ts'
import { systemId } from '../../systems/travel/model.ts'
import { Poi } from '../../systems/travel/state.ts'
import { askPublic } from '../public-world.ts'
import { type Stage, textOf } from './stranger-world.ts'

/** Rows that depend on the live frame: the list of battles begins with those of the frame. */
export const LIVE_ROWS: readonly PublicRow[] = PUBLIC_ROWS.filter(
  ({ source, path }) => source === 'frame' || path === '/api/battles',
)

/** Requests only the battles being fought, which come from the frame. */
const QUERY = 'status=active'

type Params = Readonly<Record<string, string>>

/** Returns values for each parameter of a path: names of what is public, and of what is hidden. */
function valuesOf({ world, observers, ghost, nameless, hermit, cave, lair }: Stage) {
  const players = [...observers, ghost, nameless, hermit]
  const stations = Array.from({ length: 2 }, (_, i) => baseId(world, i + 1))
  return {
    name: players.map((player) => usernameOf(world, player)),
    tag: ['ORE1', 'ICE1'],
    item_id: ['iron_ore'],
    station_id: [...new Set([...stations, baseId(world, lair)])],
    system_id: [systemId(world, world.read(Poi).system[cave]), systemId(world, 1)],
  } as Readonly<Record<string, readonly string[]>>
}

/** Returns all ways to fill the path of a row. */
function waysOf(row: PublicRow, values: ReturnType<typeof valuesOf>): readonly Params[] {
  let ways: Params[] = [{}]
  for (const { name } of pathParams(row)) {
    ways = ways.flatMap((way) => values[name].map((value) => ({ ...way, [name]: value })))
  }
  return ways
}

/** Returns the frame as text, followed by the bodies of these rows, for all parameters. */
export async function withBodies(
  stage: Stage,
  frame: PublicFrame,
  state: PublicState,
  rows: readonly PublicRow[] = LIVE_ROWS,
): Promise<string> {
  const values = valuesOf(stage)
  const texts = [textOf(frame)]
  for (const row of rows) {
    for (const way of waysOf(row, values)) {
      const body = await askPublic(state, row, way, undefined, QUERY)
      texts.push(`${row.path} ${JSON.stringify(way)} ${JSON.stringify(body)}`)
    }
  }
  return texts.join('\n')
}
