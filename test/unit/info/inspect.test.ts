/** The command `inspect`: shows one object by its id, as far as the caller may see it. */
import { Value } from 'typebox/value'
import { beforeAll, describe, expect, it } from 'vitest'
import { SHIP_CLASSES } from '../../../core/catalog/index.ts'
import type { Outcome } from '../../../core/errors.ts'
import type { Eid } from '../../../core/types.ts'
import { baseId } from '../../../systems/base/model.ts'
import { inspect } from '../../../systems/info/inspect-queries.ts'
import { dockedBase, poiOf, systemOf } from '../../../systems/travel/location-model.ts'
import { poiId, poisOf, systemId } from '../../../systems/travel/model.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

let small: SmallWorld
let ada: Eid

beforeAll(async () => {
  small = await smallWorld({ players: 1 })
  ;[ada] = small.players
})

const inspectId = (id: string): Outcome<unknown> => small.ask(ada, 'inspect', { id })
const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? 'ok' : outcome.code)

function expectKind(id: string, kind: string, source: string): Record<string, unknown> {
  const outcome = inspectId(id)
  expect(outcome).toMatchObject({ ok: true, result: { id, kind, source } })
  const result = outcome.ok ? (outcome.result as Record<string, unknown>) : {}
  expect([...Value.Errors(inspect.result, result)]).toEqual([])
  return result
}

describe('inspect', () => {
  it('shows items, modules and ship classes from the catalogue, by id or name', () => {
    expectKind('iron_ore', 'item', 'catalog')
    const laser = expectKind('mining_laser_i', 'module', 'catalog')
    expect(laser.catalog).toMatchObject({ type: 'items', total: 1, items: [{ mining_power: 5 }] })
    expectKind(SHIP_CLASSES[0].id, 'ship_class', 'catalog')
    expect(inspectId('Iron Ore')).toMatchObject({ result: { kind: 'item' } })
  })

  it('shows any system', () => {
    const { world } = small
    const own = systemId(world, systemOf(world, ada))
    expect(expectKind(own, 'system', 'map').system).toMatchObject({ system_id: own, visited: true })
    const last = systemId(world, world.highOf(StarSystem))
    expect(expectKind(last, 'system', 'map').system).toMatchObject({ visited: false })
  })

  it("shows the player's place in full and others of the system in short", () => {
    const { world } = small
    const here = poiOf(world, ada)
    const shown = expectKind(poiId(world, here), 'poi', 'local').poi
    expect(shown).toMatchObject({
      summary: { id: poiId(world, here) },
      detail: { poi: { id: poiId(world, here) } },
    })
    const hidden = world.read(Poi).hidden
    const other = poisOf(world, systemOf(world, ada)).find(
      (poi) => poi !== here && hidden[poi] === 0,
    )
    const short = expectKind(poiId(world, other as Eid), 'poi', 'map').poi
    expect(short).not.toHaveProperty('detail')
  })

  it('shows the base the caller is docked at', () => {
    const { world } = small
    const id = baseId(world, dockedBase(world, ada))
    expect(expectKind(id, 'base', 'local').base).toMatchObject({ base: { id } })
  })

  it('does not find hidden places, places elsewhere and unknown ids', () => {
    const { world } = small
    const poi = world.read(Poi)
    const away: string[] = []
    for (let row = 1; row <= world.highOf(Poi); row++) {
      if (poi.hidden[row] === 1) away.push(poiId(world, row))
    }
    const own = systemOf(world, ada)
    for (let row = world.highOf(Poi); away.length < 40; row--) {
      if (poi.system[row] !== own) away.push(poiId(world, row))
    }
    for (const id of [...away, 'nothing_at_all', 'Tester 1']) {
      expect([id, codeOf(inspectId(id))]).toEqual([id, 'not_found'])
    }
  })
})
