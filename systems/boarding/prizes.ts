/**
 * What boardings win: a taken hull becomes a prize at the place where the battle began, or its hold
 * is plundered. Claiming a prize and its way home are another matter.
 * Source: combat.md sections 10, 11.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, type GoodRow, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { emit } from '../../core/event.ts'
import { contentsOf, type Held } from '../../core/goods.ts'
import type { Eid, Row, World, WorldView } from '../../core/world.ts'
import { addStat } from '../account/rules.ts'
import { fitting, isNearlyFull, mayCarry, recountCargo, unloadCargo } from '../cargo/rules.ts'
import { Battle, FATES, Fighting, Participant } from '../combat/columns.ts'
import { handOver, pilotsOf, recordCapture, wakeAtHome } from '../combat/rules.ts'
import { battleId, combatantId, combatantName, participantsOf, pilotOf } from '../combat/views.ts'
import { scrapBays } from '../drone/rules.ts'
import { endPolicy } from '../insurance/rules.ts'
import { logAction } from '../log/rules.ts'
import { boast, dismiss, npcOf } from '../npc/rules.ts'
import { dropTow, makeWreck } from '../salvage/rules.ts'
import { Ship } from '../ship/columns.ts'
import { recompute, releaseShip, shipId, shipName } from '../ship/rules.ts'
import { Location, Poi } from '../travel/columns.ts'
import { place, poiId, poiName, systemId, systemName, unplace } from '../travel/rules.ts'
import { Link, Prize } from './columns.ts'
import { endBoarding, operationId } from './course.ts'
import { shipCaptured } from './events.ts'
import { endPrize, notePrize, prizeId } from './holdings.ts'

/** Ticks for which only the captor may claim. */
const EXCLUSIVE_TICKS = 360
/** Ticks after which an unclaimed prize is a wreck. */
const PRIZE_TICKS = 8_640
const STAYS = FATES.indexOf('stays')

/* Capture */

/**
 * A player takes the hull of a boarding: it leaves the battle and is a prize, and who flew it wakes
 * at home. The marines return if the link still holds, else they stay aboard as far as there is
 * room. Source: combat.md section 10.
 */
export function captureShip(world: World, link: Row): void {
  const { attacker, target, battle, committed } = world.read(Link)
  const [a, t, at] = [attacker[link], target[link], battle[link]]
  const ship = world.read(Participant).ship[t]
  const owner = pilotOf(world, t)
  const told = pilotsOf(world, participantsOf(world, at))
  const captor = pilotOf(world, a)
  assert(captor !== 0, 'a hull is taken by nobody')
  const guards = world.read(Participant).fate[a] === STAYS ? 0 : committed[link]
  const former = { id: combatantId(world, t), name: combatantName(world, t) }
  const poi = prizePoi(world, at, ship)
  const capture = {
    tick: world.tick,
    boarding_operation_id: operationId(world, link),
    captor_id: combatantId(world, a),
    captor_username: combatantName(world, a),
    captor_kind: 'player',
    former_owner_id: former.id,
    former_owner_username: former.name,
    ship_id: shipId(world, ship),
    ship_class: SHIP_CLASSES[world.read(Ship).class[ship]].id,
  }
  garrison(world, world.read(Participant).ship[a], ship, guards)
  endBoarding(world, link, 'captured')
  dropTow(world, ship)
  endPolicy(world, ship)
  handOver(world, t)
  if (npcOf(world, ship) !== 0) dismiss(world, ship)
  const columns = world.write(Battle)
  columns.captured[at]++
  columns.eventTick[at] = world.tick
  if (owner !== 0) {
    scrapBays(world, ship)
    wakeAtHome(world, owner)
    addStat(world, owner, 'ships_lost', 1)
  }
  const prize = openPrize(world, { ship, poi, captor, former })
  const known = { ...capture, prize_id: prizeId(world, prize) }
  recordCapture(world, at, known)
  const payload = { battle_id: battleId(world, at), ...known, ...whereabouts(world, at) }
  emit(world, shipCaptured, payload, { kind: 'players', rows: told })
}

/** Where the battle began; where the hull set out, when it began under way. */
function prizePoi(view: WorldView, battle: Row, ship: Eid): Eid {
  const { poi, fromPoi } = view.read(Location)
  return view.read(Battle).origin[battle] || poi[ship] || fromPoi[ship]
}

/** Withheld for a hidden place, and for a battle that began under way. Source: spec, Events. */
function whereabouts(view: WorldView, battle: Row): Record<string, string> {
  const poi = view.read(Battle).origin[battle]
  const { hidden, system } = view.read(Poi)
  if (poi === 0 || hidden[poi] === 1) return {}
  return {
    prize_poi_id: poiId(view, poi),
    prize_poi_name: poiName(view, poi),
    prize_system_id: systemId(view, system[poi]),
    prize_system_name: systemName(view, system[poi]),
  }
}

/**
 * The wounded of the former crew are put off with their captain, so that there are berths for
 * another; marines cut off from their ship stay as guards.
 */
function garrison(world: World, from: Eid, prize: Eid, guards: number): void {
  const columns = world.write(Ship)
  columns.crewInjured[prize] = 0
  columns.marinesInjured[prize] = 0
  columns.marinesFit[prize] = Math.min(guards, columns.marineCap[prize])
  columns.marinesFit[from] -= guards
  columns.personnelVersion[prize]++
  if (guards > 0) columns.personnelVersion[from]++
}

interface Taken {
  readonly ship: Eid
  readonly poi: Eid
  readonly captor: Eid
  readonly former: { readonly id: string; readonly name: string }
}

function openPrize(world: World, { ship, poi, captor, former }: Taken): Row {
  endPrize(world, ship)
  if (isNearlyFull(world, Prize)) makeRoom(world)
  const prize = world.take(Prize)
  const columns = world.write(Prize)
  columns.ship[prize] = ship
  columns.captor[prize] = captor
  columns.claimUntil[prize] = world.tick + EXCLUSIVE_TICKS
  columns.expireTick[prize] = world.tick + PRIZE_TICKS
  world.setText(Prize, 'formerId', prize, former.id)
  world.setText(Prize, 'formerName', prize, former.name)
  world.write(Ship).owner[ship] = 0
  // no longer what the skills of its owner made of it
  recompute(world, ship)
  place(world, ship, poi)
  notePrize(world, ship, prize)
  return prize
}

/* Prizes nobody wants */

/** Prizes that may end now, the oldest first: none that is fought over. */
function idlePrizes(view: WorldView): Row[] {
  const { alive, seq, ship } = view.read(Prize)
  const { participant } = view.read(Fighting)
  const rows: Row[] = []
  for (let row = 1; row <= view.highOf(Prize); row++) {
    if (alive[row] === 1 && participant[ship[row]] === 0) rows.push(row)
  }
  return rows.sort((a, b) => seq[a] - seq[b])
}

/** The oldest prize gives way to a new one. */
function makeRoom(world: World): void {
  const [oldest] = idlePrizes(world)
  if (oldest !== undefined) becomeWreck(world, oldest)
}

function becomeWreck(world: World, prize: Row): void {
  const { ship, formerId, formerName } = world.read(Prize)
  const hull = ship[prize]
  const poi = world.read(Location).poi[hull]
  const [victimId, victimName] = [
    world.texts.get(formerId[prize]),
    world.texts.get(formerName[prize]),
  ]
  endPrize(world, hull)
  makeWreck(world, {
    ...{ ship: hull, poi, victimId, victimName, killerId: '', killerName: '', isNpc: false },
  })
  unplace(world, hull)
  releaseShip(world, hull)
}

/** Turns prizes whose time is over into wrecks. */
export function expirePrizes(world: World): void {
  if (world.countOf(Prize) === 0) return
  const { expireTick } = world.read(Prize)
  for (const prize of idlePrizes(world)) {
    if (expireTick[prize] <= world.tick) becomeWreck(world, prize)
  }
}

/* Plunder */

/**
 * The server's ships take what their holds can carry, the dearest for its size first, and let go of
 * the hull. Source: combat.md section 10.
 */
export function plunderShip(world: World, link: Row): void {
  const { attacker, target } = world.read(Link)
  const part = world.read(Participant)
  const [pirate, victim] = [part.ship[attacker[link]], part.ship[target[link]]]
  const owner = pilotOf(world, target[link])
  const robber = shipName(world, pirate)
  endBoarding(world, link, 'plundered')
  let taken = 0
  for (const { item, units } of wanted(world, victim)) {
    if (!mayCarry(world, pirate, item)) continue
    const fits = Math.min(units, fitting(world, pirate, item))
    unloadCargo(world, victim, world.read(Ship).hold[pirate], item, fits)
    recountCargo(world, pirate)
    taken += fits
  }
  if (owner === 0) return
  boast(world, pirate, owner, 'plunder')
  logAction(world, owner, 'combat', 'plundered', `${robber} took ${taken} units of cargo.`, {
    quantity: taken,
  })
}

/** What of a hold is worth taking, the dearest for its size first; bound goods are not. */
function wanted(view: WorldView, ship: Eid): Held[] {
  const gain = (a: GoodRow, b: GoodRow) => b.base_value * a.size - a.base_value * b.size
  return contentsOf(view, view.read(Ship).hold[ship])
    .filter(({ item }) => GOODS[item].quest_item !== true)
    .sort((a, b) => gain(GOODS[a.item], GOODS[b.item]) || a.item - b.item)
}
