/** `orrery explain` on robberies, purchases and boardings, by replay of the journal. */
import { expect, test } from 'vitest'
import { createExplainer, type Happening } from '../../../cli/explanation.ts'
import { brief, shown } from '../../../cli/shown.ts'
import { GOODS, itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import { stateHash } from '../../../core/hash.ts'
import type { WorldImage } from '../../../core/ports.ts'
import type { Eid } from '../../../core/types.ts'
import { loadWorld, openEngine, replayRow } from '../../../engine/start.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { Participant } from '../../../systems/combat/state.ts'
import { loadCargo } from '../../../systems/ship/model.ts'
import { recompute } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import type { SmallWorld } from '../../small-world.ts'
import { hullOf, meeting, putAt, rowOf } from '../combat/scene.ts'
import { freshScene } from '../market/scene.ts'

/** Explains what happened to a player since an image; the replay must end in the same hash. */
async function explain(
  { world, registry, journal, hash }: SmallWorld,
  from: WorldImage,
  player: Eid,
): Promise<Happening[]> {
  const { tickMs, maxEntities } = world
  const replayed = loadWorld({ registry, tickMs, maxEntities }, from)
  const engine = await openEngine(replayed, registry, { checksWrites: false })
  const explainer = createExplainer(engine, world.read(Player).seq[player])
  const found: Happening[] = []
  for (const row of journal.filter(({ batch }) => batch > from.batch)) {
    const happening = explainer.observe(row, replayRow(engine, row))
    if (happening) found.push(happening)
  }
  expect(stateHash(replayed)).toBe(hash())
  return found
}

const causes = (found: readonly Happening[], kind: string): string[] =>
  found.flatMap(({ why }) => why.filter((cause) => cause.kind === kind).map(({ text }) => text))

const changesOf = (found: readonly Happening[], table: string) =>
  found.flatMap(({ changed }) => changed.filter((change) => change.table === table))

const valuesOf = (found: readonly Happening[], table: string, column: string) =>
  changesOf(found, table).flatMap(({ values }) => values.filter((value) => value.column === column))

const result = <T>(outcome: { ok: boolean; result?: unknown }): T => {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome))
  return outcome.result as T
}

test('a robbery is explained by its shots, stages of damage, losses and looter', async () => {
  const { small, world, poi, players, id } = await meeting(3)
  const [robber, victim, thief] = players
  putAt(world, robber, poi, { shipClass: 'marauder', modules: ['blaster_ii', 'blaster_ii'] })
  const hull = putAt(world, victim, poi, { shipClass: 'hornet' })
  loadCargo(world, hull, namedContainer('supply'), itemIndex('iron_ore'), 10)
  const ships = world.write(Ship)
  ships.hull[hull] = 20
  ships.shield[hull] = 5
  recompute(world, hull)
  world.recycle()
  const from = small.image()
  result(small.act(robber, 'attack', { target_id: id(victim) }))
  for (let i = 0; i < 60 && hullOf(world, victim) === hull; i++) small.ticks(1)
  expect(hullOf(world, victim)).not.toBe(hull)
  const { wrecks } = result<{ wrecks: { id: string; victim_id: string }[] }>(
    small.ask(thief, 'get_wrecks'),
  )
  const theirs = wrecks.find(({ victim_id }) => victim_id === id(victim))
  result(small.act(thief, 'loot_wreck', { wreck_id: theirs?.id }))

  const found = await explain(small, from, victim)
  expect(causes(found, 'other').join('\n')).toMatch(
    /Tester 1 sent attack \{"target_id":"[-\w]+"\}, done/,
  )
  const fight = causes(found, 'battle').join('\n')
  expect(fight).toMatch(
    /Tester 1 fired at Tester 2 with energy: hit \(chance [\d.]+ %, roll [\d.]+\); damage raw \d+/,
  )
  expect(fight).toMatch(
    /, after weapon skill \d+, .*final \d+; \d+ off the shield, \d+ off the hull/,
  )
  expect(fight).toContain('the ship was destroyed')
  expect(fight).toContain('Tester 2 was destroyed by Tester 1 (player)')
  expect(causes(found, 'log').join('\n')).toMatch(/\[combat.died\] .+/)
  const lost = changesOf(found, 'ship').find(({ change }) => change === 'removed')
  expect(lost?.name).toMatch(/^hornet \d+$/)
  // The wreck has the id of its victim, so its changes are listed too.
  const wreck = changesOf(found, 'wreck').find(({ change }) => change === 'added')
  expect(wreck).toBeDefined()
  const taken = valuesOf(found, 'wreck', 'cargo iron_ore')
  expect(taken[0]).toMatchObject({ before: null, after: expect.any(Number) })
  expect(taken.at(-1)).toMatchObject({ before: taken[0].after, after: null })
  expect(causes(found, 'other').join('\n')).toMatch(/Tester 3 sent loot_wreck/)
  expect(causes(found, 'other').join('\n')).toMatch(/Tester 3: \[salvage.loot\] /)
})

test('a purchase is explained by its order, price and every movement of credits', async () => {
  const { small, player, other, item, item_id } = await freshScene()
  const third = small.join('Bystander')
  result(small.act(other, 'create_sell_order', { item_id, quantity: 5, price_each: 9_000 }))
  const from = small.image()
  result(small.act(player, 'buy', { item_id, quantity: 5 }))
  const found = await explain(small, from, player)
  expect(found.flatMap(({ sent }) => sent)).toEqual([
    { command: 'buy', params: { item_id, quantity: 5 }, channel: 'ws2' },
  ])
  expect(found.flatMap(({ answered }) => answered)).toMatchObject([{ command: 'buy', ok: true }])
  const [wallet] = valuesOf(found, 'player', 'wallet (credits)')
  const spent = Number(wallet.before) - Number(wallet.after)
  expect(spent).toBeGreaterThanOrEqual(45_000)
  const log = causes(found, 'log').join('\n')
  expect(log).toContain(`(credits -${spent}, balance ${wallet.after})`)
  expect(log).toMatch(/\[trading\.buy\] Bought 5 .* for 45450 credits/)
  // Every credit is accounted for.
  expect(causes(found, 'ledger')).toEqual([])
  // Each side is named to the other, and neither of them to a bystander.
  expect(causes(found, 'other').join('\n')).toMatch(/^Rival: \[trading\.sell_filled\] Sold 5 /)
  const sold = await explain(small, from, other)
  expect(causes(sold, 'other').join('\n')).toMatch(/^Trader: \[trading\.buy\] Bought 5 /)
  expect(causes(await explain(small, from, third), 'other')).toEqual([])
  expect(valuesOf(found, 'ship', `hold ${GOODS[item].id}`)).toEqual([
    { column: `hold ${GOODS[item].id}`, before: null, after: 5 },
  ])
})

test('a boarding is explained by its captor, its course and the loss of the ship', async () => {
  const { small, world, poi, players, id } = await meeting(2)
  const [captor, victim] = players
  putAt(world, captor, poi, { shipClass: 'reaver', modules: ['marine_barracks'] })
  const ships = world.write(Ship)
  ships.marinesFit[hullOf(world, captor)] = 23
  ships.crewFit[hullOf(world, victim)] = 3
  ships.shield[hullOf(world, victim)] = 0
  recompute(world, hullOf(world, victim))
  result(small.act(captor, 'attack', { target_id: id(victim) }))
  for (const player of players) world.write(Participant).ring[rowOf(world, player)] = 0
  ships.shield[hullOf(world, victim)] = 0
  const hull = hullOf(world, victim)
  const from = small.image()
  const order = { action: 'stance', stance: 'board', target_id: id(victim), marines: 20 }
  result(small.ask(captor, 'battle', order))
  for (let i = 0; i < 40 && hullOf(world, victim) === hull; i++) small.ticks(1)
  const found = await explain(small, from, victim)
  expect(causes(found, 'other')[0]).toContain('Tester 1 sent battle')
  const fight = causes(found, 'battle').join('\n')
  expect(fight).toMatch(/boarding: .*"event":"boarding_started".*Tester 1/)
  expect(fight).toMatch(/boarding: .*"event":"ended".*"outcome":"captured"/)
  expect(fight).toMatch(/captures: /)
  expect(causes(found, 'event').join('\n')).toMatch(/ship_captured /)
  const gone = changesOf(found, 'ship').find(({ change }) => change === 'removed')
  expect(gone).toBeDefined()
})

test('a record of a trade is explained to both of its players, and to nobody else', async () => {
  const { small, player, other, item_id } = await freshScene()
  const third = small.join('Bystander')
  const from = small.image()
  const params = { target_id: playerId(small.world, other), offer_credits: 250 }
  const { trade_id } = result<{ trade_id: string }>(
    small.act(player, 'trade_offer', { ...params, request_items: [{ item_id, quantity: 2 }] }),
  )
  result(small.ask(other, 'trade_decline', { trade_id }))
  for (const side of [player, other]) {
    const found = changesOf(await explain(small, from, side), 'trades')
    expect(found.map(({ change }) => change)).toEqual(['added', 'removed'])
    expect(found[0].values).toContainEqual({ column: 'offerCredits', before: null, after: 250 })
    const wanted = { column: 'requestItems[0].item_id', before: null, after: item_id }
    expect(found[0].values).toContainEqual(wanted)
  }
  expect(changesOf(await explain(small, from, third), 'trades')).toEqual([])
})

test('a record keyed by the number of a player is explained to them', async () => {
  const { small, player } = await freshScene()
  const from = small.image()
  const { system } = result<{ system: { connections: { system_id: string }[] } }>(
    small.ask(player, 'get_system'),
  )
  result(small.act(player, 'jump', { target_system: system.connections[0].system_id }))
  small.ticks(20)
  const visits = changesOf(await explain(small, from, player), 'visited')
  expect(visits.at(-1)?.values.at(-1)).toMatchObject({ before: null, after: expect.any(Number) })
})

test('secrets are not shown, texts stay on their line, long ones are cut', () => {
  const sent = {
    username: 'Ann',
    registration_code: 'abc',
    nested: [{ login_token: 't', password: 'p', api_key: 'k' }],
    content: `a\u001b[31m${'x'.repeat(1_000)}`,
  }
  const text = brief(sent)
  for (const secret of ['abc', '"t"', '"p"', '"k"']) expect(text).not.toContain(secret)
  expect(text).toContain('"username":"Ann"')
  expect(shown(sent)).toMatchObject({ registration_code: '(not shown)' })
  expect(text.length).toBeLessThan(700)
  expect(shown(Array.from({ length: 50 }, () => 1))).toHaveLength(21)
})
