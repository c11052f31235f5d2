/**
 * What boardings win: a taken hull becomes a prize at the place where the battle began, or its hold
 * is plundered. What becomes of prizes is another matter.
 * Source: combat.md sections 10, 11.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, type GoodRow, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { emit } from '../../core/event.ts'
import { contentsOf, type Held } from '../../core/goods.ts'
import { counted } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat, playerId, usernameOf } from '../account/rules.ts'
import { raiseCounter } from '../achievement/counter-rules.ts'
import { fitting, mayCarry, recountCargo, unloadCargo } from '../cargo/rules.ts'
import { Battle, FATES, Participant } from '../combat/columns.ts'
import { handOver, kindOf, pilotsOf, recordCapture, wakeAtHome } from '../combat/rules.ts'
import { battleId, combatantId, combatantName, participantsOf, pilotOf } from '../combat/views.ts'
import { scrapBays } from '../drone/rules.ts'
import { endPolicy } from '../insurance/rules.ts'
import { logAction } from '../log/rules.ts'
import { boast, dismiss, npcOf } from '../npc/rules.ts'
import { claimantOf, homeOfCaptors, openPrize, prizeId } from '../prize/rules.ts'
import { dropTow } from '../salvage/rules.ts'
import { seePlayer } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { shipId, shipName } from '../ship/rules.ts'
import { Location, Poi } from '../travel/columns.ts'
import { poiId, poiName, systemId, systemName } from '../travel/rules.ts'
import { Link } from './columns.ts'
import { endBoarding, operationId } from './course.ts'
import { shipCaptured } from './events.ts'

export const STAYS = FATES.indexOf('stays')

/* Capture */

/**
 * Boarders take the hull of a boarding: it leaves the battle and is a prize, and who flew it wakes
 * at home. A player claims it; the server's ships send it to a base of theirs. The marines return
 * if the link still holds, else they stay aboard as far as there is room. Source: combat.md 10.
 */
export function captureShip(world: World, link: Row): void {
  const { attacker, target, battle, committed } = world.read(Link)
  const [a, t, at] = [attacker[link], target[link], battle[link]]
  const ship = world.read(Participant).ship[t]
  const owner = pilotOf(world, t)
  const told = pilotsOf(world, participantsOf(world, at))
  const captor = pilotOf(world, a)
  const guards = world.read(Participant).fate[a] === STAYS ? 0 : committed[link]
  const captorKind = kindOf(world, a)
  assert((captorKind === 'player') === (captor !== 0), 'a hull is taken by nobody')
  const former = formerOwner(world, t)
  const poi = prizePoi(world, at, ship)
  const capture = {
    tick: world.tick,
    boarding_operation_id: operationId(world, link),
    captor_id: combatantId(world, a),
    captor_username: combatantName(world, a),
    captor_kind: captorKind,
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
  world.write(Battle).captured[at]++
  if (owner !== 0) {
    scrapBays(world, ship)
    wakeAtHome(world, owner)
    addStat(world, owner, 'ships_lost', 1)
  }
  const home = captor === 0 ? homeOfCaptors(world, captorKind === 'pirate', poi) : 0
  if (captor !== 0) raiseCounter(world, captor, 'ships_captured')
  const prize = openPrize(world, { ship, poi, captor, home, former })
  const known = { ...capture, prize_id: prizeId(world, prize) }
  recordCapture(world, at, known)
  const payload = { battle_id: battleId(world, at), ...known, ...whereabouts(world, at) }
  emit(world, shipCaptured, payload, { kind: 'players', rows: told })
}

/** Who flew it; of a prize who has claimed it, if everybody may know him. */
function formerOwner(view: WorldView, row: Row): { id: string; name: string } {
  const claimant = claimantOf(view, view.read(Participant).ship[row])
  return claimant !== 0 && seePlayer(view, 0, claimant) === 'full'
    ? { id: playerId(view, claimant), name: usernameOf(view, claimant) }
    : { id: combatantId(view, row), name: combatantName(view, row) }
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
  logAction(
    world,
    owner,
    'combat',
    'plundered',
    `${robber} took ${counted(taken, 'unit')} of cargo.`,
    {
      quantity: taken,
    },
  )
}

/** What of a hold is worth taking, the dearest for its size first; bound goods are not. */
function wanted(view: WorldView, ship: Eid): Held[] {
  const gain = (a: GoodRow, b: GoodRow) => b.base_value * a.size - a.base_value * b.size
  return contentsOf(view, view.read(Ship).hold[ship])
    .filter(({ item }) => GOODS[item].quest_item !== true)
    .sort((a, b) => gain(GOODS[a.item], GOODS[b.item]) || a.item - b.item)
}
