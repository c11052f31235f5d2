/**
 * Policies of ships: finding, opening, ending and paying them, and the counts that make them dear.
 * The arithmetic is model.ts. Source: ships.md section 9, salvage.md section 6.
 */

import { assert } from '../../core/assert.ts'
import { append, drop } from '../../core/groups.ts'
import { canReceive, namedAccount } from '../../core/ledger.ts'
import { INSURANCE_MARKET_DAYS } from '../../core/limits.ts'
import { clamp, divFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { statOf, walletOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { isFactionAtWar } from '../diplomacy/model.ts'
import { factionOf } from '../faction/model.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { modulesOf, rebuildValue, shipClassOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import {
  dayOf,
  marketOf,
  payoutOf,
  policiesOf,
  policyId,
  policyOf,
  type Quote,
  quote,
  type RiskInputs,
  recentDeaths,
} from './model.ts'
import {
  Cover,
  DEATH_DAYS,
  INSURANCE_MARKET,
  type MarketDay,
  POLICIES,
  Policy,
  RISK_FACTORS,
  Risk,
} from './state.ts'

export const POLICY_TICKS = 60_480

const CALM_TICKS = 30 * DAY_TICKS
const DEATHS_A_DAY_MAX = 255

function enter(world: World, policy: Row): void {
  const { player, expireTick } = world.read(Policy)
  const { of, due } = world.index(POLICIES)
  of.set(player[policy], [...policiesOf(world, player[policy]), policy])
  append(due, expireTick[policy], policy)
}

/** Fills the index from the table, after a restore. */
export function rebuildPolicies(world: World): void {
  const { of, due } = world.index(POLICIES)
  of.clear()
  due.clear()
  const { alive, seq } = world.read(Policy)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Policy); row++) if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) enter(world, row)
}

/** True for players of old who have not died for long. Age is told in ticks of today's length. */
function isCalm(view: WorldView, player: Eid): boolean {
  const age = divFloor(view.wallMs - view.read(Player).createdMs[player], view.tickMs)
  const { deathTick } = view.read(Risk)
  const isLongAgo = deathTick[player] === 0 || view.tick - deathTick[player] >= CALM_TICKS
  return age >= CALM_TICKS && isLongAgo
}

/** What a quote for a ship of the player is worked out from, as of now. */
export function riskInputs(view: WorldView, player: Eid, ship: Eid): RiskInputs {
  const { playerKills, claims } = view.read(Risk)
  const { tier } = shipClassOf(view, ship)
  return {
    tier,
    recent_deaths: recentDeaths(view, player),
    lifetime_losses: statOf(view, player, 'ships_lost'),
    player_kills: playerKills[player],
    pirate_kills: statOf(view, player, 'pirates_destroyed'),
    war: isFactionAtWar(view, factionOf(view, player)) ? 1 : 0,
    claims: claims[player],
    calm: isCalm(view, player) ? 1 : 0,
    market: marketOf(view, tier),
  }
}

export interface QuotedShip extends Quote {
  readonly inputs: RiskInputs
}

/** What a policy for a ship of the player would cost now. */
export function quoteShip(view: WorldView, player: Eid, ship: Eid): QuotedShip {
  const inputs = riskInputs(view, player, ship)
  const fittedValue = rebuildValue(view, ship, modulesOf(view, ship))
  return { ...quote(fittedValue, inputs, view.read(Ship).issue[ship] === 1), inputs }
}

/* Counting */

/** Adds to what a tier took in or paid today; days out of sight are forgotten. */
function recordMarket(world: World, tier: number, of: 'premiums' | 'paid', credits: number): void {
  const key = String(tier)
  const today = dayOf(world.tick)
  const days = (world.records(INSURANCE_MARKET).get(key) ?? []).filter(
    ({ day }) => day >= today - INSURANCE_MARKET_DAYS,
  )
  const last = days.at(-1)
  const now: MarketDay = last?.day === today ? last : { day: today, premiums: 0, paid: 0 }
  const before = last?.day === today ? days.slice(0, -1) : days
  world.records(INSURANCE_MARKET).set(key, [...before, { ...now, [of]: now[of] + credits }])
}

/** Counts the death of a player's ship. Source: salvage.md section 6. */
export function recordDeath(world: World, player: Eid): void {
  const { deaths, deathDay, deathTick } = world.write(Risk)
  const today = dayOf(world.tick)
  const from = player * DEATH_DAYS
  for (
    let day = deathDay[player] + 1;
    day <= today && day <= deathDay[player] + DEATH_DAYS;
    day++
  ) {
    deaths[from + (day % DEATH_DAYS)] = 0
  }
  const slot = from + (today % DEATH_DAYS)
  deaths[slot] = Math.min(DEATHS_A_DAY_MAX, deaths[slot] + 1)
  deathDay[player] = today
  deathTick[player] = world.tick
}

/** Counts a ship of another player that a player has destroyed. */
export function recordPlayerKill(world: World, player: Eid): void {
  world.write(Risk).playerKills[player]++
}

/* Opening and ending */

/** A policy of the ship at the base; the caller has taken the premium and seen to room for it. */
export function openPolicy(world: World, ship: Eid, base: Eid, quoted: QuotedShip): Row {
  const cover = world.write(Cover)
  assert(cover.policy[ship] === 0, `ship ${ship} is insured twice`)
  const policy = world.take(Policy)
  const columns = world.write(Policy)
  columns.ship[policy] = ship
  columns.player[policy] = world.read(Ship).owner[ship]
  columns.base[policy] = base
  columns.premium[policy] = quoted.premium
  columns.coverage[policy] = quoted.coverage
  columns.riskPpm[policy] = quoted.riskPpm
  columns.expireTick[policy] = world.tick + POLICY_TICKS
  for (const [index, name] of RISK_FACTORS.entries()) {
    const value = clamp(quoted.inputs[name], 0, 0xffffffff)
    columns.inputs[policy * RISK_FACTORS.length + index] = value
  }
  cover.policy[ship] = policy
  enter(world, policy)
  recordMarket(world, shipClassOf(world, ship).tier, 'premiums', quoted.premium)
  return policy
}

/**
 * Ends the policy of a ship without a payout, if it has one: sale, scrap, gift, capture, prize.
 * To be called while the ship's row still is. Source: ships.md section 9.
 */
export function endPolicy(world: World, ship: Eid): void {
  const cover = world.write(Cover)
  const policy = cover.policy[ship]
  if (policy === 0) return
  const player = world.read(Policy).player[policy]
  const { of } = world.index(POLICIES)
  drop(of, player, policy)
  cover.policy[ship] = 0
  world.release(Policy, policy)
}

/** Ends what is due. Rows that ended before, and are other policies by now, are passed over. */
export function expirePolicies(world: World): void {
  const { due } = world.index(POLICIES)
  const rows = due.get(world.tick)
  if (!rows) return
  due.delete(world.tick)
  const { alive, expireTick, seq, ship, player } = world.read(Policy)
  const gone = [...new Set(rows)].filter(
    (row) => alive[row] === 1 && expireTick[row] === world.tick,
  )
  for (const policy of gone.sort((a, b) => seq[a] - seq[b])) {
    const [hull, owner] = [ship[policy], player[policy]]
    const said = `The policy of your ${shipClassOf(world, hull).name} has run out.`
    logAction(world, owner, 'ship', 'insurance.expired', said, {
      policy_id: policyId(world, policy),
    })
    endPolicy(world, hull)
  }
}

/* Paying */

/** A loss as the insurer sees it. */
interface Claim {
  readonly ship: Eid
  /** Base value of the cargo that was destroyed. */
  readonly cargoValue: number
  /** False: a self-destruct out of battle, an arena, or a killer who is related to the victim. */
  readonly isCovered: boolean
}

/**
 * Pays for a ship that is destroyed, whose modules that did not drop are still on it, and ends its
 * policy; returns the credits. Source: salvage.md section 6.
 */
export function payClaim(world: World, { ship, cargoValue, isCovered }: Claim): number {
  const policy = policyOf(world, ship)
  if (policy === 0) return 0
  const { player, coverage } = world.read(Policy)
  const [owner, id] = [player[policy], policyId(world, policy)]
  const lost = rebuildValue(world, ship, modulesOf(world, ship))
  const due = isCovered ? payoutOf(coverage[policy], lost, cargoValue) : 0
  endPolicy(world, ship)
  const wallet = walletOf(world, owner)
  if (due === 0 || !canReceive(world, wallet, due)) return 0
  const { name, tier } = shipClassOf(world, ship)
  const said = `The insurance pays ${counted(due, 'credit')} for your ${name}.`
  const from = namedAccount('insurance')
  creditMove(world, owner, from, wallet, due, 'ship', 'insurance.payout', said, { policy_id: id })
  recordMarket(world, tier, 'paid', due)
  world.write(Risk).claims[owner]++
  addStat(world, owner, 'insurance_claims_made', 1)
  addStat(world, owner, 'insurance_payouts_received', due)
  return due
}
