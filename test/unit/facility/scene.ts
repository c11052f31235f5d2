/** Owners, stores and a station for tests of facilities. */
import { expect } from 'vitest'
import { FACILITIES, facilityTypeIndex, itemIndex } from '../../../core/catalog/index.ts'
import type { MutationDef } from '../../../core/command.ts'
import type { Outcome } from '../../../core/errors.ts'
import { moveItems, namedContainer } from '../../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { addStat } from '../../../systems/account/rules.ts'
import { openLocker } from '../../../systems/cargo/model.ts'
import { addFacility } from '../../../systems/facility/lifecycle-rules.ts'
import { facilityId, factionOwner, playerOwner } from '../../../systems/facility/model.ts'
import { Facility, ONLINE } from '../../../systems/facility/state.ts'
import { addMember, foundFaction } from '../../../systems/faction/member-rules.ts'
import { treasuryOf } from '../../../systems/faction/model.ts'
import { skillIndex } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { dockedBase } from '../../../systems/travel/location-model.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

export interface Scene {
  readonly small: SmallWorld
  readonly owner: Eid
  readonly other: Eid
  readonly base: Row
}

/** Makes two players docked at the same station, with credits and the skill for every tier. */
export async function scene(): Promise<Scene> {
  const small = await smallWorld()
  const [owner, other] = ['Owner', 'Other'].map((name) => small.join(name))
  const base = dockedBase(small.world, owner)
  expect(base).toBeGreaterThan(0)
  expect(dockedBase(small.world, other)).toBe(base)
  for (const player of [owner, other]) {
    enrich(small, player, 1_000_000)
    addStat(small.world, player, 'credits_earned', 1_000_000)
    teach(small, player, 'corporation_management', 5)
  }
  small.takeEmissions()
  return { small, owner, other, base }
}

export const enrich = ({ world }: SmallWorld, player: Eid, credits: number): void =>
  post(world, namedAccount('missions'), walletOf(world, player), credits)

/** Empties an account down to `left` credits. */
export const impoverish = ({ world }: SmallWorld, account: Row, left = 0): void =>
  post(world, account, namedAccount('fee_sink'), balanceOf(world, account) - left)

export function teach({ world }: SmallWorld, player: Eid, skill: string, level: number): void {
  world.write(PlayerSkills).level[player * SKILLS_WIDTH + skillIndex(skill)] = level
}

/** Puts goods into a player's locker. */
export function store(
  { world }: SmallWorld,
  player: Eid,
  base: Row,
  goods: Readonly<Record<string, number>>,
): void {
  for (const [id, units] of Object.entries(goods)) {
    moveItems(
      world,
      namedContainer('supply'),
      openLocker(world, player, base),
      itemIndex(id),
      units,
    )
  }
}

/** Puts the building materials of a type into the locker of a player. */
export function supply(small: SmallWorld, player: Eid, base: Row, type: string): void {
  const { build_materials } = FACILITIES[facilityTypeIndex(type)]
  const goods = build_materials.map(({ item_id, quantity }) => [item_id, quantity] as const)
  store(small, player, base, Object.fromEntries(goods))
}

/** Adds a finished facility of a player. */
export function standing({ small, base }: Scene, type: string, player: Eid): Row {
  const owner = playerOwner(player)
  return addFacility(small.world, { type: facilityTypeIndex(type), base, owner, status: ONLINE })
}

/** Founds a faction of these players, led by the first, with a lockbox here and a full treasury. */
export function company({ small, base }: Scene, leader: Eid, members: readonly Eid[] = []): Row {
  const { world } = small
  const faction = foundFaction(world, leader, 'Dock Company', 'DOCK')
  for (const member of members) addMember(world, member, faction)
  post(world, namedAccount('missions'), treasuryOf(world, faction), 5_000_000)
  shared({ small, base } as Scene, 'faction_lockbox', faction)
  return faction
}

/** Adds a finished facility of a faction. */
export function shared({ small, base }: Scene, type: string, faction: Row): Row {
  const owner = factionOwner(faction)
  return addFacility(small.world, { type: facilityTypeIndex(type), base, owner, status: ONLINE })
}

type Answer = Outcome<Record<string, unknown>>

/** Runs an action of `facility` that must succeed; returns its result. */
export function does(small: SmallWorld, player: Eid, action: string, params: object = {}) {
  const done = small.act(player, 'facility', { action, ...params }) as Answer
  if (!done.ok) throw new Error(`${action}: ${JSON.stringify(done)}`)
  return done.result
}

/** Expects an action to be refused with a code and to change nothing. */
export function refuses(
  small: SmallWorld,
  player: Eid,
  [action, params]: readonly [string, object],
  refusal: object | string,
): void {
  const def = small.registry.commands.get('facility') as MutationDef
  const call = { action, ...params }
  const before = small.hash()
  const unmet = def.needs.map((need) => need.ensure(small.world, player, call))
  const failure = unmet.find((met) => typeof met === 'object')
  const outcome = failure ?? def.run(small.world, player, call)
  const expected = typeof refusal === 'string' ? { code: refusal } : refusal
  expect(outcome).toMatchObject(expected)
  expect(small.hash()).toBe(before)
}

/** Runs ticks until the work on a facility is done. */
export function finish(small: SmallWorld, row: Row): void {
  const due = small.world.read(Facility).dueTick[row]
  expect(due).toBeGreaterThan(small.world.tick)
  small.ticks(due - small.world.tick)
}

export const idOfRow = ({ small }: Scene, row: Row): string => facilityId(small.world, row)
