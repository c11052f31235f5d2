/** The command self_destruct, inside and outside a battle, and its blast. */
import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../core/errors.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import { logRowSchema } from '../../../core/public/battle-log.ts'
import { emptyOutbox } from '../../../core/world.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { BattleBoarding, Boarding, Link } from '../../../systems/boarding/state.ts'
import { logging } from '../../../systems/combat/log-systems.ts'
import { fate } from '../../../systems/combat/outcomes-systems.ts'
import { Participant, PlayerCombat } from '../../../systems/combat/state.ts'
import { wrecksAt } from '../../../systems/salvage/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { poiId } from '../../../systems/travel/model.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { Location } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { unknownFields } from './fields.ts'
import { baseIn, hullOf, meeting, open, payloadsTo, putAt, rowOf, type Scene } from './scene.ts'

onSmallMap()

const codeOf = (outcome: unknown): string | undefined => (outcome as Failure).code
const resultOf = (outcome: unknown) => (outcome as { result: Record<string, unknown> }).result

describe('self_destruct outside a battle', () => {
  test('destroys the ship at once, leaves a wreck and respawns the pilot at home', async () => {
    const scene = await meeting(1)
    const { world, small } = scene
    const [one] = scene.players
    putAt(world, one, scene.poi, { shipClass: 'reaver' })
    const ship = hullOf(world, one)
    scene.takeEmissions()
    const done = small.act(one, 'self_destruct')
    expect(resultOf(done)).toMatchObject({ cause: 'self_destruct' })
    expect(resultOf(done).self_destruct_fee).toBeUndefined()
    expect(hullOf(world, one)).not.toBe(ship)
    expect(world.read(Location).base[hullOf(world, one)]).not.toBe(0)
    expect(wrecksAt(world, scene.poi)).toHaveLength(1)
    const [died] = payloadsTo(scene, scene.takeEmissions(), one, 'player_died')
    expect(died).toMatchObject({
      cause: 'self_destruct',
      self_destruct_fee: 0,
      ship_lost: 'reaver',
    })
  })

  test('undocks the ship first', async () => {
    const scene = await meeting(1)
    const { world, small } = scene
    const [one] = scene.players
    dockShip(world, hullOf(world, one), baseIn(world, scene.system))
    expect(small.answer(one, 'self_destruct')).toMatchObject({ autoUndocked: true })
  })

  test('is refused in_transit during travel', async () => {
    const scene = await meeting(1)
    const { world, small } = scene
    const [one] = scene.players
    const elsewhere = open(world, scene.system).find((poi) => poi !== scene.poi) ?? 0
    small.tick({ player: one, command: 'travel', params: { target_poi: poiId(world, elsewhere) } })
    expect(codeOf(small.act(one, 'self_destruct'))).toBe('in_transit')
  })

  test('costs a fee when repeated within a day, and bars from trade if it is unpaid', async () => {
    const scene = await meeting(1)
    const { world, small } = scene
    const [one] = scene.players
    small.act(one, 'self_destruct')
    post(world, namedAccount('starting_grant'), walletOf(world, one), 10_000)
    expect(resultOf(small.act(one, 'self_destruct'))).toMatchObject({ self_destruct_fee: 500 })
    const { balance } = takeCredits(scene)
    expect(balance).toBe(0)
    const poor = resultOf(small.act(one, 'self_destruct'))
    expect(poor).toMatchObject({ wreck_suppressed: true })
    expect(String(poor.trading_restricted_until)).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(world.read(PlayerCombat).restrictedUntil[one]).toBeGreaterThan(world.tick)
  })
})

/** Takes all credits of the first player; returns the balance that is left. */
function takeCredits(scene: Scene): { balance: number } {
  const { world } = scene
  const [one] = scene.players
  const wallet = walletOf(world, one)
  post(world, wallet, namedAccount('fee_sink'), balanceOf(world, wallet))
  return { balance: balanceOf(world, wallet) }
}

describe('self_destruct in a battle', () => {
  test('starts a countdown that repetition does not reset', async () => {
    const scene = await meeting(2)
    const { world, small } = scene
    const [one, two] = scene.players
    small.act(one, 'attack', { target_id: scene.id(two) })
    const ship = hullOf(world, two)
    const started = resultOf(small.act(two, 'self_destruct'))
    expect(started).toMatchObject({ cause: 'self_destruct', ticks: 3 })
    expect(world.read(Participant).selfDestructTicks[rowOf(world, two)]).toBe(2)
    expect(resultOf(small.act(two, 'self_destruct'))).toMatchObject({ ticks: 2 })
    small.ticks(1)
    expect(hullOf(world, two)).not.toBe(ship)
    expect(world.read(Player).ship[two]).toBe(hullOf(world, two))
  })

  test('damages the attached ship by a blast that is sent and logged', async () => {
    const scene = await meeting(2)
    const { world, small } = scene
    const [one, two] = scene.players
    small.act(one, 'attack', { target_id: scene.id(two) })
    attach(scene)
    world.write(Participant).selfDestructTicks[rowOf(world, two)] = 1
    const before = world.read(Ship).hull[hullOf(world, one)]
    world.tick++
    world.outbox = emptyOutbox()
    fate.run?.(world)
    logging.run?.(world)
    const volleys = world.outbox.emissions.filter(({ type }) => type === 'battle_damage')
    const { payload } = volleys[0] as { payload: Record<string, unknown> }
    expect(payload).toMatchObject({
      attacker_id: scene.id(two),
      target_id: scene.id(one),
      damage_type: 'explosive',
    })
    expect(before - world.read(Ship).hull[hullOf(world, one)]).toBe(payload.hull_hit)
    const [{ entry }] = world.outbox.writes.flatMap((write) =>
      write.method === 'logBattles' ? write.args.rows : [],
    ) as { entry: { attacks: Record<string, unknown>[] } }[]
    expect(entry.attacks).toMatchObject([
      { self_destruct: true, damage_type: 'explosive', hull_damage: payload.hull_hit },
    ])
    expect(unknownFields(logRowSchema, entry)).toEqual([])
  })
})

/** Attaches the second player's ship to the first one's, as a boarding would. */
function attach({ world, players: [one, two] }: Scene): void {
  const link = world.take(Link)
  const columns = world.write(Link)
  columns.number[link] = world.nextNumber(Link.name)
  columns.battle[link] = world.read(Participant).battle[rowOf(world, one)]
  columns.attacker[link] = rowOf(world, two)
  columns.target[link] = rowOf(world, one)
  columns.attached[link] = 1
  world.write(BattleBoarding).first[columns.battle[link]] = link
  for (const row of [rowOf(world, one), rowOf(world, two)]) world.write(Boarding).link[row] = link
}
