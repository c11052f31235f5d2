/** What watchers of an arena see of its fighters. Source: newer.md section 4. */
import { expect, test } from 'vitest'
import { CHALLENGES } from '../../../core/catalog/index.ts'
import { enemiesIn } from '../../../systems/arena/rules.ts'
import { FATES, Participant, ShipCombat } from '../../../systems/combat/state.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { arena, arenaWorld, heard, homeOf, matchOf, pilotAt, wonAll } from './scene.ts'

interface Update {
  readonly arena_npcs_changed?: { readonly npc_id: string; readonly hull: number }[]
  readonly arena_npcs_departed?: string[]
}

test('fighters of the house appear, are knocked out, and disappear with the match', async () => {
  const small = await arenaWorld()
  const { world } = small
  const several = CHALLENGES.find(({ enemies, rules }) => enemies.length > 1 && rules.length === 0)
  const id = several?.id ?? ''
  const poi = homeOf(world, id)
  const [watcher, pilot] = [pilotAt(small, poi), pilotAt(small, poi)]
  wonAll(world, pilot, id)
  expect(small.ask(watcher, 'subscribe_observation')).toMatchObject({ result: { arena_npcs: [] } })
  const updates = (): Update[] => heard(small, watcher, 'observation_update') as Update[]

  updates()
  expect(arena(small, pilot, 'fight', { challenge_id: id })).toMatchObject({ ok: true })
  const battle = matchOf(world, pilot)
  const ships = enemiesIn(world, battle)
  const ids = ships.map((ship) => shipId(world, ship)).sort()
  small.ticks(1)
  const came = updates().flatMap(({ arena_npcs_changed = [] }) => arena_npcs_changed)
  expect([...new Set(came.map(({ npc_id }) => npc_id))].sort()).toEqual(ids)
  for (const row of came) {
    expect(row).toMatchObject({
      name: expect.any(String),
      ship_class: expect.any(String),
      in_combat: true,
      max_hull: expect.any(Number),
      shield: expect.any(Number),
    })
  }

  const [first] = ships
  world.write(Ship).hull[first] = 0
  world.write(Participant).fate[world.read(ShipCombat).participant[first]] =
    FATES.indexOf('destroyed')
  small.ticks(2)
  const hit = updates()
  const rows = hit.flatMap(({ arena_npcs_changed = [] }) => arena_npcs_changed)
  const last = rows.filter(({ npc_id }) => npc_id === shipId(world, first)).pop()
  expect(last).toMatchObject({ hull: 0 })
  expect(hit.flatMap(({ arena_npcs_departed = [] }) => arena_npcs_departed)).toEqual([])

  for (const ship of enemiesIn(world, battle)) {
    const row = world.read(ShipCombat).participant[ship]
    if (row !== 0) world.write(Participant).fate[row] = FATES.indexOf('destroyed')
  }
  small.ticks(3)
  const gone = updates().flatMap(({ arena_npcs_departed = [] }) => arena_npcs_departed)
  expect(gone.sort()).toEqual(ids)
})
