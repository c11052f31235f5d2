/** The battle log and the summary of a battle, as the world sends them to the archive. */
import { expect, test } from 'vitest'
import type { Failure } from '../../../core/errors.ts'
import { BATTLE_LOG_ATTACKS_MAX } from '../../../core/limits.ts'
import { logRowSchema } from '../../../core/public/battle-log.ts'
import type { Eid } from '../../../core/types.ts'
import { battleId, battleIn } from '../../../systems/combat/model.ts'
import { Battle, Participant } from '../../../systems/combat/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { unknownFields } from './fields.ts'
import { hullOf, meeting, putAt, rowOf, type Scene } from './scene.ts'

onSmallMap()

type Entry = Record<string, unknown>
interface Logged {
  readonly battle: number
  readonly tick: number
  readonly entry: Entry & Record<string, Entry[] | undefined>
  readonly summary?: Entry
}

/** Returns the rows of the log so far. */
const rowsOf = ({ small }: Scene): Logged[] =>
  (small.store.archive.rows.get('logBattles') ?? []).flatMap(({ args }) => args.rows as Logged[])

/** Makes a duel: one ship with a blaster and an autocannon with rounds against an unarmed one. */
async function duel(): Promise<Scene> {
  const scene = await meeting(2)
  const { world, small } = scene
  const [one, two] = scene.players
  const modules = ['autocannon_i', 'blaster_i', 'shield_booster_i']
  putAt(world, one, scene.poi, { shipClass: 'reaver', modules })
  small.act(one, 'attack', { target_id: scene.id(two) })
  for (const player of scene.players) world.write(Participant).ring[rowOf(world, player)] = 0
  return scene
}

test('the log has a row for each tick with joins and the state of every participant', async () => {
  const scene = await duel()
  const { world, small } = scene
  small.ticks(2)
  const rows = rowsOf(scene)
  expect(rows.map(({ tick }) => tick)).toEqual([world.tick - 2, world.tick - 1, world.tick])
  const [first, second] = rows
  const joined = first.entry.joins?.map(({ username }) => username).sort()
  expect(joined).toEqual(['Tester 1', 'Tester 2'])
  expect(second.entry.joins).toBeUndefined()
  expect(second.entry.snapshots).toHaveLength(2)
  const ship = hullOf(world, scene.players[0])
  const standing = rows[2].entry.snapshots?.find(({ username }) => username === 'Tester 1')
  expect(standing).toMatchObject({
    player_id: scene.id(scene.players[0]),
    zone: 'engaged',
    stance: 'fire',
    auto_pilot: true,
    hull: world.read(Ship).hull[ship],
    max_hull: world.read(Ship).hullMax[ship],
    side_id: 1,
    modules: [{ name: 'Autocannon I', magazine_size: 200, current_ammo: 0 }],
  })
})

test('the log has every stage of an attack and of each weapon', async () => {
  const scene = await duel()
  scene.small.ticks(8)
  const attacks = () => rowsOf(scene).flatMap(({ entry }) => entry.attacks ?? [])
  const hit = attacks().find(({ hit_success }) => hit_success) as Entry & { weapons: Entry[] }
  const [blaster] = hit.weapons
  expect(hit).toMatchObject({
    attacker_id: scene.id(scene.players[0]),
    target_id: scene.id(scene.players[1]),
    damage_type: 'energy',
    zone_distance: 0,
    weapon_skill_pct: 0,
    stance_mult: 1,
    disrupted: false,
  })
  expect(blaster).toMatchObject({ name: 'Blaster I', base_damage: 12, type_bonus_pct: 100 })
  expect(hit.raw_damage).toBe(blaster.damage)
  expect(hit.pre_hit_damage).toBe(hit.raw_damage)
  expect(Number(hit.hit_roll)).toBeLessThan(Number(hit.hit_chance))
  let missed: Entry | undefined
  for (let i = 0; i < 12 && missed === undefined; i++) {
    scene.small.ask(scene.players[1], 'battle', { action: 'stance', stance: 'evade' })
    scene.small.ticks(1)
    missed = attacks().find(({ hit_success }) => !hit_success)
  }
  expect(missed).toMatchObject({ raw_damage: 0, final_damage: 0 })
})

test('the log has orders, moves, burned fuel and flight', async () => {
  const scene = await duel()
  const { small } = scene
  const [, two] = scene.players
  small.ask(two, 'battle', { action: 'stance', stance: 'evade' })
  small.ask(two, 'battle', { action: 'retreat' })
  small.ticks(1)
  const { entry } = rowsOf(scene).at(-1) as Logged
  const player_id = scene.id(two)
  expect(entry.commands).toEqual([
    { player_id, command: 'retreat' },
    { player_id, command: 'stance', stance: 'evade' },
  ])
  expect(entry.zone_moves).toContainEqual({
    player_id,
    old_zone: 'engaged',
    new_zone: 'inner',
    reason: 'order',
  })
  expect(entry.fuel).toMatchObject([{ player_id, fuel_burned: 5, forced_fire: false }])
  expect(entry.autopilot?.map((row) => row.player_id)).toEqual([scene.id(scene.players[0])])
  small.ask(two, 'battle', { action: 'stance', stance: 'flee' })
  scene.world.write(Participant).ring[rowOf(scene.world, two)] = 3
  small.ticks(1)
  expect((rowsOf(scene).at(-1) as Logged).entry.flee).toMatchObject([
    { player_id, flee_counter: 1, escaped: false },
  ])
})

test('the last row of the log has the loss, the end and the summary of the battle', async () => {
  const scene = await duel()
  const { world, small } = scene
  const [one, two] = scene.players
  const battle_id = battleId(world, battleIn(world, scene.system))
  small.ticks(1)
  scene.doom(two, 'destroyed', one)
  small.ticks(1)
  const { entry, summary } = rowsOf(scene).at(-1) as Logged
  expect(entry.kills).toEqual([
    {
      killer_id: scene.id(one),
      killer_username: 'Tester 1',
      victim_id: scene.id(two),
      victim_username: 'Tester 2',
      cause: 'player',
    },
  ])
  expect(entry.battle_ended).toMatchObject({ outcome: 'victory', winning_side: 1, duration: 3 })
  expect(summary).toMatchObject({
    battle_id,
    status: 'ended',
    outcome: 'victory',
    winning_side: 1,
    duration_ticks: 3,
    participant_count: 2,
    ships_destroyed: 1,
    destroyed_names: ['Tester 2'],
    sides: [
      { side_id: 1, participants: ['Tester 1'] },
      { side_id: 2, participants: ['Tester 2'] },
    ],
  })
  small.ticks(1)
  expect(rowsOf(scene)).toHaveLength(3)
})

test('a full log only records joins, losses and the end', async () => {
  const scene = await duel()
  const { world, small } = scene
  const [one, two] = scene.players
  world.write(Battle).logged[battleIn(world, scene.system)] = BATTLE_LOG_ATTACKS_MAX
  small.ticks(5)
  expect(rowsOf(scene)).toHaveLength(1)
  scene.doom(two, 'destroyed', one)
  small.ticks(1)
  const { entry } = rowsOf(scene)[1]
  expect(Object.keys(entry)).toEqual([
    'battle_id',
    'system_id',
    'tick',
    'snapshots',
    'kills',
    'battle_ended',
  ])
})

/** Returns what the command requests from the archive, or its refusal. */
function scopeOf({ world, small }: Scene, player: Eid, command: string, params: object) {
  const def = small.registry.commands.get(command)
  if (def?.kind !== 'archive') throw new Error(`${command} is no archive command`)
  return def.scope(world, player, params)
}

test('anybody may read log and summary; an unknown battle is battle_not_found', async () => {
  const scene = await duel()
  const { world, small } = scene
  const [one] = scene.players
  const outsider = small.join('Outsider')
  const battle = battleIn(world, scene.system)
  const battle_id = battleId(world, battle)
  small.ticks(3)
  const number = world.read(Battle).seq[battle]
  expect(scopeOf(scene, outsider, 'get_battle_log', { battle_id })).toEqual({
    ok: true,
    result: { battle: number, battle_id, limit: 50, activeTicks: 4 },
  })
  const range = { battle_id, limit: 999, tick_start: 2, tick_end: 9 }
  expect(scopeOf(scene, outsider, 'get_battle_log', range)).toMatchObject({
    result: { limit: 200, tickStart: 2, tickEnd: 9 },
  })
  const summary = scopeOf(scene, outsider, 'get_battle_summary', { battle_id })
  expect(summary).toMatchObject({
    result: {
      battle: number,
      active: { status: 'active', outcome: 'ongoing', winning_side: -1, participant_count: 2 },
    },
  })
  for (const command of ['get_battle_log', 'get_battle_summary']) {
    for (const id of ['nonsense', scene.id(one)]) {
      const refused = scopeOf(scene, one, command, { battle_id: id }) as Failure
      expect(refused.code, `${command} ${id}`).toBe('battle_not_found')
    }
  }
})

test('every row fits its schema in a battle with all kinds of entries', async () => {
  const scene = await duel()
  const { world, small } = scene
  const [one, two] = scene.players
  small.ask(two, 'battle', { action: 'stance', stance: 'evade' })
  small.ask(one, 'battle', { action: 'retreat' })
  small.ticks(3)
  small.ask(two, 'battle', { action: 'stance', stance: 'flee' })
  world.write(Participant).burnDamage[rowOf(world, two)] = 2
  world.write(Participant).burnTicks[rowOf(world, two)] = 3
  small.ticks(2)
  scene.doom(two, 'destroyed', one)
  small.ticks(1)
  const rows = rowsOf(scene)
  const seen = new Set(rows.flatMap(({ entry }) => Object.keys(entry)))
  const lists = ['commands', 'joins', 'autopilot', 'zone_moves', 'attacks', 'burns', 'fuel']
  for (const list of [...lists, 'kills', 'battle_ended']) expect([...seen]).toContain(list)
  expect(rows.flatMap(({ entry }) => unknownFields(logRowSchema, entry))).toEqual([])
})

test('each stage of a logged attack follows from the stage before', async () => {
  const scene = await duel()
  scene.small.ticks(8)
  const attacks = rowsOf(scene).flatMap(({ entry }) => entry.attacks ?? [])
  const hits = attacks.filter(({ hit_success }) => hit_success === true)
  expect(hits.length).toBeGreaterThan(2)
  const pct = (value: unknown, by: number): number => Math.trunc((Number(value) * by) / 100)
  for (const hit of hits) {
    const weapons = hit.weapons as Entry[]
    expect(weapons.reduce((sum, { damage }) => sum + Number(damage), 0)).toBe(hit.raw_damage)
    for (const gun of weapons) {
      expect(gun.after_type).toBe(pct(gun.base_damage, Number(gun.type_bonus_pct)))
      expect(Number(gun.hit_roll) < Number(gun.hit_chance)).toBe(gun.hit_success)
    }
    expect(hit.after_weapon_skill).toBe(pct(hit.raw_damage, 100 + Number(hit.weapon_skill_pct)))
    expect(hit.after_stance).toBe(pct(hit.pre_hit_damage, 100 * Number(hit.stance_mult)))
    expect(hit.after_def_buff).toBe(pct(hit.after_stance, 100 - Number(hit.def_buff_pct)))
    const shielded = pct(hit.after_def_buff, 100 - Number(hit.shield_resist_pct))
    expect(hit.after_shield_resist).toBe(shielded)
    const typed = pct(hit.after_shield_resist, 100 - Number(hit.type_resist_pct))
    expect(hit.after_type_resist).toBe(typed)
    expect(hit.final_damage).toBe(pct(typed, 100 - Number(hit.flat_reduction_pct)))
    expect(hit.bypass_damage).toBe(pct(hit.final_damage, Number(hit.shield_bypass_pct)))
    const through = Number(hit.damage_to_hull)
    const minimum = Math.ceil(through / 10)
    const loss = through === 0 ? 0 : Math.max(minimum, through - Number(hit.armor))
    expect(Number(hit.hull_damage)).toBeLessThanOrEqual(loss)
  }
})
