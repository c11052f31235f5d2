/** Hints of `get_status`: what the player can do next, and where. */
import { GOODS, isModule } from '../../core/catalog/index.ts'
import { contentsOf } from '../../core/goods.ts'
import { counted, say } from '../../core/say.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { baseName, hasService } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { inBattle } from '../combat/model.ts'
import { Risk } from '../insurance/state.ts'
import { detainingEmpire } from '../law/model.ts'
import { libertyRefusal } from '../law/rules.ts'
import { isTradeable } from '../market/model.ts'
import { type KnownBid, knownBids } from '../market/sight-model.ts'
import { missionsOf, templateOf } from '../mission/model.ts'
import { trainingTo } from '../mission/offers-model.ts'
import { readyMissions } from '../mission/views.ts'
import { prizeId, prizesAt, statusOf } from '../prize/model.ts'
import { Prize } from '../prize/state.ts'
import { towedWreck } from '../salvage/model.ts'
import { activeShip, shipClassOf, shipName } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { dockedBase, poiOf, systemOf } from '../travel/location-model.ts'
import { lanesFrom, poisOf, systemName } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'

const FUEL_LOW_PCT = 25
/** Ticks for which `get_status` mentions the loss of a ship. */
const DEATH_HINT_TICKS = 30
/** Maximum number of goods that hints mention; the most valuable come first. */
const CARGO_HINTS_MAX = 3

function missionHints(view: WorldView, player: Eid): string[] {
  return readyMissions(view, player).map(
    ({ title, id }) =>
      say`"${title}" is done: {complete_mission} with {complete_mission.mission_id} ${id}.`,
  )
}

function saleHint(view: WorldView, here: Eid, item: number, units: number, bid: KnownBid): string {
  const cargo = `${units} ${GOODS[item].name}`
  if (bid.base === here) return say`{sell} ${cargo} here: the best bid is ${bid.price} each.`
  const ago = counted(view.tick - bid.tick, 'tick')
  return `${cargo} in the hold: ${baseName(view, bid.base)} bid ${bid.price} each ${ago} ago.`
}

/** Returns whether a good is carried to be sold, not to be fitted, fired or consumed. */
function isWare(item: number): boolean {
  const good = GOODS[item]
  return isTradeable(item) && !isModule(good) && !good.effect && good.category !== 'ammo'
}

function cargoHints(view: WorldView, player: Eid): string[] {
  const held = contentsOf(view, view.read(Ship).hold[activeShip(view, player)])
  const wares = held.filter(({ item }) => isWare(item))
  if (wares.length === 0) return []
  const here = dockedBase(view, player)
  const bids = knownBids(view, player, here, new Set(wares.map(({ item }) => item)))
  return wares
    .flatMap(({ item, units }) => {
      const bid = bids.get(item)
      return bid ? [{ item, units, bid, worth: units * bid.price }] : []
    })
    .sort((a, b) => b.worth - a.worth || a.item - b.item)
    .slice(0, CARGO_HINTS_MAX)
    .map(({ item, units, bid }) => saleHint(view, here, item, units, bid))
}

/** Returns a base that sells fuel in a system; 0 if there is none. */
function sellerIn(view: WorldView, system: Eid): Eid {
  const { base } = view.read(Poi)
  const { fuel, pirateRepRequired } = view.read(Base)
  const seller = poisOf(view, system)
    .map((poi) => base[poi])
    .find(
      (row) =>
        row !== 0 && hasService(view, row, 'refuel') && fuel[row] > 0 && !pirateRepRequired[row],
    )
  return seller ?? 0
}

/** Finds the nearest base that sells fuel, and the jumps to it. O(systems at most that far). */
function nearestFuel(view: WorldView, start: Eid): { base: Eid; jumps: number } | undefined {
  const jumps = new Map([[start, 0]])
  // A breadth-first search: the map grows during the iteration.
  for (const [system, count] of jumps) {
    const base = sellerIn(view, system)
    if (base !== 0) return { base, jumps: count }
    for (const next of lanesFrom(view, system)) if (!jumps.has(next)) jumps.set(next, count + 1)
  }
  return undefined
}

function fuelHints(view: WorldView, player: Eid): string[] {
  const ship = activeShip(view, player)
  const { fuel, fuelMax } = view.read(Ship)
  const system = systemOf(view, player)
  if (fuel[ship] === 0 && isStranded(view, player)) {
    return [
      say`The tank is empty: {refuel} burns fuel cells from the hold, and {distress_signal} calls other pilots for help.`,
    ]
  }
  if (system === 0 || fuel[ship] * 100 >= fuelMax[ship] * FUEL_LOW_PCT) return []
  const low = `Fuel is low, ${fuel[ship]} of ${fuelMax[ship]}`
  const seller = nearestFuel(view, system)
  if (!seller) return [`${low}.`]
  const { base, jumps } = seller
  if (base === dockedBase(view, player)) return [say`${low}: {refuel} here.`]
  const where = systemName(view, view.read(Poi).system[view.read(Base).poi[base]])
  const way = jumps === 0 ? 'in this system' : `in ${where}, ${counted(jumps, 'jump')} away`
  return [say`${low}: {refuel} at ${baseName(view, base)} ${way}.`]
}

const isStranded = (view: WorldView, player: Eid): boolean =>
  view.read(Poi).base[poiOf(view, player)] === 0

function detentionHints(view: WorldView, player: Eid): string[] {
  const refusal = libertyRefusal(view, player)
  return refusal ? [refusal.message] : []
}

/** Tells who was away when their ship was lost what they fly now. */
function deathHints(view: WorldView, player: Eid): string[] {
  const died = view.read(Risk).deathTick[player]
  const ago = view.tick - died
  if (died === 0 || ago > DEATH_HINT_TICKS) return []
  const { name } = shipClassOf(view, activeShip(view, player))
  return [
    say`You lost your ship ${counted(ago, 'tick')} ago and now fly a ${name}; {get_action_log} tells how it happened.`,
  ]
}

function battleHints(view: WorldView, player: Eid): string[] {
  if (!inBattle(view, player)) return []
  return [
    say`You are in a battle: {get_battle_status} shows it; ordered again every ten ticks, {battle stance} with {battle stance.stance} flee gets you out of it.`,
  ]
}

/**
 * Tells a captor of the prizes here that they may claim, and a tug what to do with its tow. O(ships
 * there) while there are prizes in the world, as get_nearby.
 */
function haulHints(view: WorldView, player: Eid): string[] {
  const { captor, claimUntil } = view.read(Prize)
  const prizes = prizesAt(view, poiOf(view, player)).filter(
    (prize) =>
      captor[prize] === player &&
      statusOf(view, prize) === 'unclaimed' &&
      view.tick <= claimUntil[prize],
  )
  const claims = prizes.map((prize) => {
    const name = shipName(view, view.read(Prize).ship[prize])
    const ticks = counted(claimUntil[prize] - view.tick, 'tick')
    return say`${name} is your prize for ${ticks} more: {claim_prize} with {claim_prize.prize_id} ${prizeId(view, prize)} and, as {claim_prize.destination_base_id}, the id of a base.`
  })
  if (towedWreck(view, activeShip(view, player)) === 0) return claims
  const here = dockedBase(view, player)
  const isYard = here !== 0 && hasService(view, here, 'salvage_yard')
  const tow = isYard
    ? say`A wreck is in tow: {sell_wreck} or {scrap_wreck} it here.`
    : say`A wreck is in tow: {dock} at a base with a salvage_yard, {sell_wreck} or {scrap_wreck} it there.`
  return [...claims, tow]
}

/**
 * Suggests the next training mission of the player's own empire: that of the board here, or in
 * space that of the board at home.
 */
function trainingHints(view: WorldView, player: Eid): string[] {
  const here = dockedBase(view, player)
  const base = here === 0 ? view.read(Player).homeBase[player] : here
  if (base === 0) return []
  const where = here === 0 ? ` at ${baseName(view, base)}` : ''
  const taken = missionsOf(view, player).map((mission) => templateOf(view, mission))
  return trainingTo(view, player, base)
    .filter(({ template }) => !taken.includes(template))
    .map(
      ({ template }) =>
        say`"${template.title}" is the next step of your training: {accept_mission} with {accept_mission.mission_id} ${template.template_id}${where} before you do it.`,
    )
}

/** Returns what a player might do next; nothing without a ship. */
export function hintsFor(view: WorldView, player: Eid): string[] {
  if (activeShip(view, player) === 0) return []
  const isHeld = detainingEmpire(view, player) >= 0
  return [
    ...deathHints(view, player),
    ...detentionHints(view, player),
    ...battleHints(view, player),
    ...haulHints(view, player),
    ...missionHints(view, player),
    ...(isHeld ? [] : trainingHints(view, player)),
    ...fuelHints(view, player),
    ...cargoHints(view, player),
  ]
}
