/**
 * How players see their own record: v1 Player and the v2 section. What others see of them is in
 * sensing.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { copierOf, zeroesOf } from '../../core/copier.ts'
import { balanceOf } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import type { Static } from '../../core/params.ts'
import { playerNumber } from '../../core/pending.ts'
import { colorText } from '../../core/text-rules.ts'
import { isoTime, tickTime } from '../../core/time.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { baseId } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { WATERMARKS } from '../chat/state.ts'
import { PlayerCombat } from '../combat/state.ts'
import { factionIdOf, factionOf, roleOf } from '../faction/model.ts'
import { carrierOf, fleetIdOf, fleetOf } from '../fleet/model.ts'
import { bountyOf, detainingEmpire, restoredReputation } from '../law/model.ts'
import { CriminalRecord } from '../law/state.ts'
import { towedShip, towedWreck, wreckId } from '../salvage/model.ts'
import { activeShip, shipId } from '../ship/model.ts'
import { skillExperience, skillLevels } from '../skill/model.ts'
import { incomeCounters } from '../tax/model.ts'
import { TaxLedger } from '../tax/state.ts'
import { dockedBase, poiOf, systemOf } from '../travel/location-model.ts'
import { poiId, systemId } from '../travel/model.ts'
import { Poi, REVEALED } from '../travel/state.ts'
import {
  isCitizen,
  playerId,
  reputationBaseline,
  reputationOf,
  usernameOf,
  walletOf,
} from './model.ts'
import type { playerSchema, playerSection, playerStatusSchema, statsSchema } from './schemas.ts'
import { EMPIRES_WIDTH, Player, PlayerStats, STATS, STATS_WIDTH } from './state.ts'

const NEVER_ASSESSED = {
  ...zeroesOf(STATS)(),
  credits_earned_taxable_snapshot: 0,
  market_purchases_deductible_snapshot: 0,
  market_tax_loss_carryforward: 0,
  credits_earned_taxable_by_category: {},
  credits_earned_taxable_by_category_snapshot: {},
}
const newStats = copierOf(NEVER_ASSESSED)
const newAssessedStats = copierOf({
  ...NEVER_ASSESSED,
  last_income_tax_assessed_at: 0,
  last_property_tax_assessed_at: 0,
})

/** Renders lifetime counters by name, and what taxes were last computed from. */
function renderStats(view: WorldView, player: Eid): Static<typeof statsSchema> {
  const { earned, before } = incomeCounters(view, player)
  const { boughtBefore, lossCarry, assessedMs } = view.read(TaxLedger)
  const { values } = view.read(PlayerStats)
  const assessedAt = divFloor(assessedMs[player], 1_000)
  const stats: Static<typeof statsSchema> = assessedAt === 0 ? newStats() : newAssessedStats()
  const first = player * STATS_WIDTH
  for (let i = 0; i < STATS.length; i++) {
    const value = values[first + i]
    if (value !== 0) stats[STATS[i]] = value
  }
  stats.credits_earned_taxable_snapshot = Object.values(before).reduce((sum, one) => sum + one, 0)
  stats.market_purchases_deductible_snapshot = boughtBefore[player]
  stats.market_tax_loss_carryforward = lossCarry[player]
  stats.credits_earned_taxable_by_category = earned
  stats.credits_earned_taxable_by_category_snapshot = before
  if (assessedAt !== 0) {
    stats.last_income_tax_assessed_at = assessedAt
    stats.last_property_tax_assessed_at = assessedAt
  }
  return stats
}

/** Renders when the player may trade with others again; empty if they may now. */
function renderRestriction(view: WorldView, player: Eid) {
  const until = view.read(PlayerCombat).restrictedUntil[player]
  return until <= view.tick ? {} : { trading_restricted_until: tickTime(view, until) }
}

/** Renders what the ship flown has in tow. */
function renderTow(view: WorldView, player: Eid) {
  const ship = activeShip(view, player)
  const [wreck, towed] = [towedWreck(view, ship), towedShip(view, ship)]
  return {
    ...(wreck === 0 ? {} : { towing_wreck_id: wreckId(view, wreck) }),
    ...(towed === 0 ? {} : { towing_ship_id: shipId(view, towed) }),
  }
}

/** Renders the faction of a player and their role in it; empty if they are in none. */
function renderFaction(view: WorldView, player: Eid) {
  const faction = factionOf(view, player)
  if (faction === 0) return {}
  return { faction_id: factionIdOf(view, faction), faction_rank: roleOf(view, player).name }
}

/** Renders the fleet of a player; empty if they are in none. */
function renderFleet(view: WorldView, player: Eid) {
  const fleet = fleetOf(view, player)
  return fleet === 0 ? {} : { fleet_id: fleetIdOf(view, fleet) }
}

function renderShared(view: WorldView, player: Eid) {
  const columns = view.read(Player)
  const home = columns.homeBase[player]
  return {
    id: playerId(view, player),
    username: usernameOf(view, player),
    empire: EMPIRES[columns.empire[player]].id,
    credits: balanceOf(view, walletOf(view, player)),
    clan_tag: view.texts.get(columns.clanTag[player]),
    status_message: view.texts.get(columns.statusMessage[player]),
    primary_color: colorText(columns.primaryColor[player]),
    secondary_color: colorText(columns.secondaryColor[player]),
    ...(home === 0 ? {} : { home_base: baseId(view, home) }),
    is_cloaked: columns.cloaked[player] === 1,
    anonymous: columns.anonymous[player] === 1,
    ...renderFaction(view, player),
    ...renderFleet(view, player),
    ...renderRestriction(view, player),
    ...renderTow(view, player),
    stats: renderStats(view, player),
  }
}

/** Returns when the player will be released from jail. */
const releaseTime = (view: WorldView, player: Eid): string =>
  tickTime(view, view.read(CriminalRecord).jailUntil[player])

/** Renders a player's detention for v1; empty if they are at liberty. */
function renderJail(view: WorldView, player: Eid) {
  const empire = detainingEmpire(view, player)
  if (empire < 0) return {}
  const jail = {
    empire_id: EMPIRES[empire].id,
    bounty_owed: bountyOf(view, player, empire),
    rep_restoration: restoredReputation(view, player, empire),
    jailed_until: releaseTime(view, player),
  }
  return { jail }
}

/** Returns a value for each empire, by its id. */
function byEmpire<T>(make: (empire: number) => T): Record<string, T> {
  const values: Record<string, T> = {}
  for (let index = 0; index < EMPIRES.length; index++) values[EMPIRES[index].id] = make(index)
  return values
}

const citizenEmpires = (view: WorldView, player: Eid): number[] =>
  EMPIRES.map((_, index) => index).filter((index) => isCitizen(view, player, index))

function renderCitizenships(view: WorldView, player: Eid) {
  const since = view.read(Player).citizenSinceMs
  return Object.fromEntries(
    citizenEmpires(view, player).map((index) => [
      EMPIRES[index].id,
      {
        empire_id: EMPIRES[index].id,
        granted_at: isoTime(since[player * EMPIRES_WIDTH + index]),
      },
    ]),
  )
}

function renderLocation(view: WorldView, player: Eid) {
  const poi = poiOf(view, player)
  const base = dockedBase(view, player)
  const system = systemOf(view, player)
  return {
    ...(system === 0 ? {} : { current_system: systemId(view, system) }),
    ...(poi === 0 ? {} : { current_poi: poiId(view, poi) }),
    ...(base === 0 ? {} : { docked_at_base: baseId(view, base) }),
  }
}

function renderTimes(view: WorldView, player: Eid) {
  const { createdMs, lastLoginMs, lastCommandMs } = view.read(Player)
  const active = Math.max(lastLoginMs[player], lastCommandMs[player])
  const read = view.records(WATERMARKS).get(String(playerNumber(view, player))) ?? {}
  return {
    created_at: isoTime(createdMs[player]),
    // Players who have read nothing yet have everything since their registration to read.
    last_chat_check: isoTime(Math.max(createdMs[player], ...Object.values(read))),
    ...(lastLoginMs[player] === 0 ? {} : { last_login_at: isoTime(lastLoginMs[player]) }),
    ...(lastCommandMs[player] === 0 ? {} : { last_command_at: isoTime(lastCommandMs[player]) }),
    ...(active === 0 ? {} : { last_active_at: isoTime(active) }),
  }
}

/** Renders the ship a player flies, or else the one they ride in; empty if they are ashore. */
function renderCurrentShip(view: WorldView, player: Eid) {
  const ship = activeShip(view, player)
  if (ship !== 0) return { current_ship_id: shipId(view, ship) }
  const carrier = carrierOf(view, player)
  return carrier === 0 ? {} : { riding_ship_id: shipId(view, activeShip(view, carrier)) }
}

function renderRecord(view: WorldView, player: Eid) {
  // Not spread: with this many names that takes ten times as long.
  return Object.assign(
    renderShared(view, player),
    renderLocation(view, player),
    renderCurrentShip(view, player),
    renderTimes(view, player),
    { skills: skillLevels(view, player), skill_xp: skillExperience(view, player) },
  )
}

/** Renders v1 Player for the answers of logins. */
export function renderPlayer(view: WorldView, player: Eid): Static<typeof playerSchema> {
  return {
    ...renderRecord(view, player),
    reputation: byEmpire((empire) => reputationOf(view, player, empire)),
    reputation_baseline: byEmpire((empire) => reputationBaseline(view, player, empire)),
    citizenships: renderCitizenships(view, player),
    ...renderJail(view, player),
  }
}

/** Renders citizenships and standings for v2 and for get_status of v1. */
function renderStandings(view: WorldView, player: Eid) {
  return {
    citizenships: citizenEmpires(view, player).map((index) => EMPIRES[index].id),
    standings: byEmpire((empire) => ({
      reputation: reputationOf(view, player, empire),
      baseline: reputationBaseline(view, player, empire),
      outstanding_bounty: bountyOf(view, player, empire),
      ...(detainingEmpire(view, player) === empire
        ? { jailed_until: releaseTime(view, player) }
        : {}),
    })),
  }
}

/** Renders the hidden places the player has revealed, by id. */
function renderRevealed(view: WorldView, player: Eid): Record<string, boolean> {
  const numbers = view.records(REVEALED).get(String(playerNumber(view, player))) ?? []
  return Object.fromEntries(numbers.map((number) => [poiId(view, view.rowOf(Poi, number)), true]))
}

/** Renders v1 Player for get_status. */
export function renderPlayerStatus(
  view: WorldView,
  player: Eid,
): Static<typeof playerStatusSchema> {
  return Object.assign(renderRecord(view, player), renderStandings(view, player), {
    revealed_pois: renderRevealed(view, player),
  })
}

function renderHome(view: WorldView, player: Eid) {
  const home = view.read(Player).homeBase[player]
  if (home === 0) return {}
  const poi = view.read(Base).poi[home]
  return { home_poi: poiId(view, poi), home_system: systemId(view, view.read(Poi).system[poi]) }
}

/** Renders the v2 section `player`. */
export function renderPlayerSection(view: WorldView, player: Eid): Static<typeof playerSection> {
  const shared = renderShared(view, player)
  return Object.assign(shared, renderHome(view, player), renderStandings(view, player))
}
