/**
 * How a player sees the own record: v1 Player and the v2 section. What others see of a player
 * belongs to sensing.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { balanceOf } from '../../core/ledger.ts'
import { divFloor } from '../../core/math.ts'
import type { Static } from '../../core/params.ts'
import { playerNumber } from '../../core/pending.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { baseId } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { WATERMARKS } from '../chat/state.ts'
import { PlayerCombat } from '../combat/state.ts'
import { factionIdOf, factionOf, roleOf } from '../faction/model.ts'
import { carrierOf, fleetIdOf, fleetOf } from '../fleet/model.ts'
import { bountyOf, jailOf, restorationOf } from '../law/model.ts'
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
  statOf,
  usernameOf,
  walletOf,
} from './model.ts'
import type { playerSchema, playerSection, playerStatusSchema, statsSchema } from './schemas.ts'
import { EMPIRES_WIDTH, Player, STATS } from './state.ts'

/* Rendering */

function renderStats(view: WorldView, player: Eid): Static<typeof statsSchema> {
  const { earned, before } = incomeCounters(view, player)
  const { boughtBefore, lossCarry, assessedMs } = view.read(TaxLedger)
  const assessedAt = divFloor(assessedMs[player], 1_000)
  return {
    ...Object.fromEntries(STATS.map((name) => [name, statOf(view, player, name)])),
    credits_earned_taxable_snapshot: Object.values(before).reduce((sum, one) => sum + one, 0),
    market_purchases_deductible_snapshot: boughtBefore[player],
    market_tax_loss_carryforward: lossCarry[player],
    ...(assessedAt === 0
      ? {}
      : { last_income_tax_assessed_at: assessedAt, last_property_tax_assessed_at: assessedAt }),
    credits_earned_taxable_by_category: earned,
    credits_earned_taxable_by_category_snapshot: before,
  }
}

const color = (rgb: number): string => `#${rgb.toString(16).toUpperCase().padStart(6, '0')}`

/** When the player may trade with others again; nothing where that is now. */
function renderRestriction(view: WorldView, player: Eid) {
  const { restrictedUntil } = view.read(PlayerCombat)
  if (restrictedUntil[player] <= view.tick) return {}
  const ticks = restrictedUntil[player] - view.tick
  return { trading_restricted_until: isoTime(view.wallMs + ticks * view.tickMs) }
}

/** What is on the line of the ship flown. */
function renderTow(view: WorldView, player: Eid) {
  const ship = activeShip(view, player)
  const [wreck, towed] = [towedWreck(view, ship), towedShip(view, ship)]
  return {
    ...(wreck === 0 ? {} : { towing_wreck_id: wreckId(view, wreck) }),
    ...(towed === 0 ? {} : { towing_ship_id: shipId(view, towed) }),
  }
}

/** The faction of a player and their role in it; nothing of one who is in none. */
function renderFaction(view: WorldView, player: Eid) {
  const faction = factionOf(view, player)
  if (faction === 0) return {}
  return { faction_id: factionIdOf(view, faction), faction_rank: roleOf(view, player).name }
}

/** The fleet of a player; nothing of one who flies alone. */
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
    primary_color: color(columns.primaryColor[player]),
    secondary_color: color(columns.secondaryColor[player]),
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

/** When time is served. */
function jailTime(view: WorldView, player: Eid): string {
  const ticks = view.read(CriminalRecord).jailUntil[player] - view.tick
  return isoTime(view.wallMs + ticks * view.tickMs)
}

/** Detention as v1 has it; nothing at liberty. */
function renderJail(view: WorldView, player: Eid) {
  const empire = jailOf(view, player)
  if (empire < 0) return {}
  const jail = {
    empire_id: EMPIRES[empire].id,
    bounty_owed: bountyOf(view, player, empire),
    rep_restoration: restorationOf(view, player, empire),
    jailed_until: jailTime(view, player),
  }
  return { jail }
}

/** A value for each empire, by its id. */
function byEmpire<T>(make: (empire: number) => T): Record<string, T> {
  return Object.fromEntries(EMPIRES.map((row, index) => [row.id, make(index)]))
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

function renderPlace(view: WorldView, player: Eid) {
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
    // Who has read nothing yet has missed what was said since they came.
    last_chat_check: isoTime(Math.max(createdMs[player], ...Object.values(read))),
    ...(lastLoginMs[player] === 0 ? {} : { last_login_at: isoTime(lastLoginMs[player]) }),
    ...(lastCommandMs[player] === 0 ? {} : { last_command_at: isoTime(lastCommandMs[player]) }),
    ...(active === 0 ? {} : { last_active_at: isoTime(active) }),
  }
}

/** The ship a player flies, or the one they ride in; nothing of one who is ashore. */
function renderHull(view: WorldView, player: Eid) {
  const ship = activeShip(view, player)
  if (ship !== 0) return { current_ship_id: shipId(view, ship) }
  const carrier = carrierOf(view, player)
  return carrier === 0 ? {} : { riding_ship_id: shipId(view, activeShip(view, carrier)) }
}

function renderRecord(view: WorldView, player: Eid) {
  return {
    ...renderShared(view, player),
    ...renderPlace(view, player),
    ...renderHull(view, player),
    ...renderTimes(view, player),
    skills: skillLevels(view, player),
    skill_xp: skillExperience(view, player),
  }
}

/** v1 Player, as logins carry it. */
export function renderPlayer(view: WorldView, player: Eid): Static<typeof playerSchema> {
  return {
    ...renderRecord(view, player),
    reputation: byEmpire((empire) => reputationOf(view, player, empire)),
    reputation_baseline: byEmpire((empire) => reputationBaseline(view, player, empire)),
    citizenships: renderCitizenships(view, player),
    ...renderJail(view, player),
  }
}

/** Citizenships and standings as v2, and get_status of v1, have them. */
function renderStandings(view: WorldView, player: Eid) {
  return {
    citizenships: citizenEmpires(view, player).map((index) => EMPIRES[index].id),
    standings: byEmpire((empire) => ({
      reputation: reputationOf(view, player, empire),
      baseline: reputationBaseline(view, player, empire),
      outstanding_bounty: bountyOf(view, player, empire),
      ...(jailOf(view, player) === empire ? { jailed_until: jailTime(view, player) } : {}),
    })),
  }
}

/** Hidden places the player has revealed, by id. */
function renderRevealed(view: WorldView, player: Eid): Record<string, boolean> {
  const numbers = view.records(REVEALED).get(String(view.read(Player).seq[player])) ?? []
  return Object.fromEntries(numbers.map((number) => [poiId(view, view.rowOf(Poi, number)), true]))
}

/** v1 Player, as get_status has it. */
export function renderPlayerStatus(
  view: WorldView,
  player: Eid,
): Static<typeof playerStatusSchema> {
  return {
    ...renderRecord(view, player),
    ...renderStandings(view, player),
    revealed_pois: renderRevealed(view, player),
  }
}

function renderHome(view: WorldView, player: Eid) {
  const home = view.read(Player).homeBase[player]
  if (home === 0) return {}
  const poi = view.read(Base).poi[home]
  return { home_poi: poiId(view, poi), home_system: systemId(view, view.read(Poi).system[poi]) }
}

/** v2 section `player`. */
export function renderPlayerSection(view: WorldView, player: Eid): Static<typeof playerSection> {
  return {
    ...renderShared(view, player),
    ...renderHome(view, player),
    ...renderStandings(view, player),
  }
}
