/** What watchers of an arena see of its fighters. Source: newer.md section 4. */
import { expect, test } from 'vitest'
import { CHALLENGES } from '../../../core/catalog/index.ts'
import { enemiesIn } from '../../../systems/arena/rules.ts'
import { FATES, Participant, ShipCombat } from '../../../systems/combat/state.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { arena, arenaWorld, homeOf, matchOf, pilotAt, takePayloads, winAllBut } from './scene.ts'

onSmallMap()

interface Update {
  readonly arena_npcs_changed?: { readonly npc_id: string; readonly hull: number }[]
  readonly arena_npcs_departed?: string[]
}

test('a watcher sees the fighters of the house appear, be knocked out and depart', async () => {
  const small = await arenaWorld()
  const { world } = small
  const several = CHALLENGES.find(({ enemies, rules }) => enemies.length > 1 && rules.length === 0)
  const id = several?.id ?? ''
  const poi = homeOf(world, id)
  const [watcher, pilot] = [pilotAt(small, poi), pilotAt(small, poi)]
  winAllBut(world, pilot, id)
  expect(small.ask(watcher, 'subscribe_observation')).toMatchObject({ result: { arena_npcs: [] } })
  const updates = (): Update[] => takePayloads(small, watcher, 'observation_update') as Update[]

  updates()
  expect(arena(small, pilot, 'fight', { challenge_id: id })).toMatchObject({ ok: true })
  const battle = matchOf(world, pilot)
  const ships = enemiesIn(world, battle)
  const ids = ships.map((ship) => shipId(world, ship)).sort()
  small.ticks(1)
  const appeared = updates().flatMap(({ arena_npcs_changed = [] }) => arena_npcs_changed)
  expect([...new Set(appeared.map(({ npc_id }) => npc_id))].sort()).toEqual(ids)
  for (const row of appeared) {
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
  const updatesOfHit = updates()
  const rows = updatesOfHit.flatMap(({ arena_npcs_changed = [] }) => arena_npcs_changed)
  const last = rows.filter(({ npc_id }) => npc_id === shipId(world, first)).pop()
  expect(last).toMatchObject({ hull: 0 })
  expect(updatesOfHit.flatMap(({ arena_npcs_departed = [] }) => arena_npcs_departed)).toEqual([])

  for (const ship of enemiesIn(world, battle)) {
    const row = world.read(ShipCombat).participant[ship]
    if (row !== 0) world.write(Participant).fate[row] = FATES.indexOf('destroyed')
  }
  small.ticks(3)
  const departed = updates().flatMap(({ arena_npcs_departed = [] }) => arena_npcs_departed)
  expect(departed.sort()).toEqual(ids)
})
