/**
 * Policies of ships: quoting, opening and ending them, paying claims, and the counts that raise a
 * premium. The arithmetic is in model.ts. Source: ships.md section 9, salvage.md section 6.
 */
import { assert } from '../../core/assert.ts'
import { addToList, removeFromList } from '../../core/groups.ts'
import { namedAccount } from '../../core/ledger.ts'
import { INSURANCE_MARKET_DAYS } from '../../core/limits.ts'
import { clamp, divFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import { DAY_TICKS, dayOfTick } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { statOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { Player } from '../account/state.ts'
import { isFactionAtWar } from '../diplomacy/model.ts'
import { factionOf } from '../faction/model.ts'
import { logAction, payPlayer } from '../log/rules.ts'
import { modulesOf, moduleTypeOf, rebuildValue, shipClassOf } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import {
  payoutOf,
  policyId,
  policyOf,
  type Quote,
  quotePolicy,
  type RiskInputs,
  recentDeaths,
  tierMarketPct,
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
const DEATHS_PER_DAY_MAX = 255

function indexPolicy(world: World, policy: Row): void {
  const { player, expireTick } = world.read(Policy)
  const { byPlayer, byExpiry } = world.index(POLICIES)
  addToList(byPlayer, player[policy], policy)
  addToList(byExpiry, expireTick[policy], policy)
}

/** Fills the index from the table, after a restore. */
export function rebuildPolicies(world: World): void {
  const { byPlayer, byExpiry } = world.index(POLICIES)
  byPlayer.clear()
  byExpiry.clear()
  const { alive, seq } = world.read(Policy)
  const rows: Row[] = []
  for (let row = 1; row <= world.highOf(Policy); row++) if (alive[row] === 1) rows.push(row)
  for (const row of rows.sort((a, b) => seq[a] - seq[b])) indexPolicy(world, row)
}

/**
 * Returns whether a player joined at least 30 days ago and has not died for 30 days. The time since
 * joining is counted in ticks of the current length.
 */
function isCalm(view: WorldView, player: Eid): boolean {
  const age = divFloor(view.wallMs - view.read(Player).createdMs[player], view.tickMs)
  const { deathTick } = view.read(Risk)
  const isLongAgo = deathTick[player] === 0 || view.tick - deathTick[player] >= CALM_TICKS
  return age >= CALM_TICKS && isLongAgo
}

/** Returns the current inputs of a quote for a ship of the player. */
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
    market: tierMarketPct(view, tier),
  }
}

/**
 * Returns the insurable value of a ship, credits. A starter's hull and the modules it comes with do
 * not count, since they cost nothing. Source: balance.md section 10.
 */
function insurableValue(view: WorldView, ship: Eid): number {
  const modules = modulesOf(view, ship)
  const { starter_ship, default_modules } = shipClassOf(view, ship)
  if (!starter_ship) return rebuildValue(view, ship, modules)
  const included = [...default_modules]
  const bought = modules.filter((row) => {
    const index = included.indexOf(moduleTypeOf(view, row).id)
    if (index >= 0) included.splice(index, 1)
    return index < 0
  })
  return rebuildValue(view, ship, bought) - rebuildValue(view, ship, [])
}

/** A quote together with the inputs of its premium. */
export interface ShipQuote extends Quote {
  readonly inputs: RiskInputs
}

/** Returns a quote for a ship of the player, as of now. */
export function quoteShip(view: WorldView, player: Eid, ship: Eid): ShipQuote {
  const inputs = riskInputs(view, player, ship)
  const fittedValue = insurableValue(view, ship)
  return { ...quotePolicy(fittedValue, inputs, view.read(Ship).issue[ship] === 1), inputs }
}

/* Counting */

/** Adds to today's premiums or payouts of a tier, and drops days that no longer count. */
function recordMarket(
  world: World,
  tier: number,
  column: 'premiums' | 'paid',
  credits: number,
): void {
  const key = String(tier)
  const today = dayOfTick(world.tick)
  const days = (world.records(INSURANCE_MARKET).get(key) ?? []).filter(
    ({ day }) => day >= today - INSURANCE_MARKET_DAYS,
  )
  const last = days.at(-1)
  const isOpen = last?.day === today
  const current: MarketDay = isOpen ? last : { day: today, premiums: 0, paid: 0 }
  const earlier = isOpen ? days.slice(0, -1) : days
  const updated = { ...current, [column]: current[column] + credits }
  world.records(INSURANCE_MARKET).set(key, [...earlier, updated])
}

/** Records the loss of a player's ship. Source: salvage.md section 6. */
export function recordDeath(world: World, player: Eid): void {
  const { deaths, deathDay, deathTick } = world.write(Risk)
  const today = dayOfTick(world.tick)
  const ring = player * DEATH_DAYS
  const lastStale = Math.min(today, deathDay[player] + DEATH_DAYS)
  for (let day = deathDay[player] + 1; day <= lastStale; day++) {
    deaths[ring + (day % DEATH_DAYS)] = 0
  }
  const slot = ring + (today % DEATH_DAYS)
  deaths[slot] = Math.min(DEATHS_PER_DAY_MAX, deaths[slot] + 1)
  deathDay[player] = today
  deathTick[player] = world.tick
}

/** Records that the player has destroyed a ship of another player. */
export function recordPlayerKill(world: World, player: Eid): void {
  world.write(Risk).playerKills[player]++
}

/* Opening and ending */

/**
 * Opens a policy for a ship, bought at a base, and returns its row. The caller takes the premium
 * and has checked that the table has room.
 */
export function openPolicy(world: World, ship: Eid, base: Eid, quote: ShipQuote): Row {
  const cover = world.write(Cover)
  assert(cover.policy[ship] === 0, `ship ${ship} is insured twice`)
  const policy = world.take(Policy)
  const columns = world.write(Policy)
  columns.ship[policy] = ship
  columns.player[policy] = world.read(Ship).owner[ship]
  columns.base[policy] = base
  columns.premium[policy] = quote.premium
  columns.coverage[policy] = quote.coverage
  columns.riskPpm[policy] = quote.riskPpm
  columns.expireTick[policy] = world.tick + POLICY_TICKS
  for (const [index, name] of RISK_FACTORS.entries()) {
    const value = clamp(quote.inputs[name], 0, 0xffffffff)
    columns.inputs[policy * RISK_FACTORS.length + index] = value
  }
  cover.policy[ship] = policy
  indexPolicy(world, policy)
  recordMarket(world, shipClassOf(world, ship).tier, 'premiums', quote.premium)
  return policy
}

/**
 * Ends the policy of a ship, if it has one, without a payout, as the ship was sold, scrapped, given
 * away or captured. Call it while the ship still has its row. Source: ships.md section 9.
 */
export function endPolicy(world: World, ship: Eid): void {
  const cover = world.write(Cover)
  const policy = cover.policy[ship]
  if (policy === 0) return
  const player = world.read(Policy).player[policy]
  removeFromList(world.index(POLICIES).byPlayer, player, policy)
  cover.policy[ship] = 0
  world.release(Policy, policy)
}

/** Ends the policies that expire now; rows of policies that ended early may have been reused. */
export function expirePolicies(world: World): void {
  const { byExpiry } = world.index(POLICIES)
  const rows = byExpiry.get(world.tick)
  if (!rows) return
  byExpiry.delete(world.tick)
  const { alive, expireTick, seq, ship, player } = world.read(Policy)
  const expired = [...new Set(rows)].filter(
    (row) => alive[row] === 1 && expireTick[row] === world.tick,
  )
  for (const policy of expired.sort((a, b) => seq[a] - seq[b])) {
    const insured = ship[policy]
    const message = `The policy of your ${shipClassOf(world, insured).name} has expired.`
    logAction(world, player[policy], 'ship', 'insurance.expired', message, {
      policy_id: policyId(world, policy),
    })
    endPolicy(world, insured)
  }
}

/* Claims */

/** A lost ship, for which a policy may pay. */
interface Claim {
  readonly ship: Eid
  /** Base value of the cargo that was destroyed. */
  readonly cargoValue: number
  /** False for a self-destruct outside battle, an arena, or a killer related to the victim. */
  readonly isCovered: boolean
}

/**
 * Pays for a destroyed ship and ends its policy; returns the credits. Modules that did not drop
 * must still be fitted, since they are paid for. Source: salvage.md section 6.
 */
export function payClaim(world: World, { ship, cargoValue, isCovered }: Claim): number {
  const policy = policyOf(world, ship)
  if (policy === 0) return 0
  const { player, coverage } = world.read(Policy)
  const [owner, id] = [player[policy], policyId(world, policy)]
  const lost = insurableValue(world, ship)
  const payout = isCovered ? payoutOf(coverage[policy], lost, cargoValue) : 0
  endPolicy(world, ship)
  if (payout === 0) return 0
  const { name, tier } = shipClassOf(world, ship)
  const message = `The insurance pays ${counted(payout, 'credit')} for your ${name}.`
  const from = namedAccount('insurance')
  const details = { policy_id: id }
  const paid = payPlayer(world, owner, from, payout, 'ship', 'insurance.payout', message, details)
  recordMarket(world, tier, 'paid', payout)
  world.write(Risk).claims[owner]++
  addStat(world, owner, 'insurance_claims_made', 1)
  addStat(world, owner, 'insurance_payouts_received', paid)
  return paid
}
