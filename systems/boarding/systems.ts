/**
 * Boarding in the tick: requests, latching and assaults as two split systems, then captures and
 * plunder.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, SHIP_CLASSES } from '../../core/catalog/index.ts'
import type { GoodRow } from '../../core/catalog/types.ts'
import { emit } from '../../core/event.ts'
import { contentsOf, type Held } from '../../core/goods.ts'
import type { CheckDef } from '../../core/registry.ts'
import { counted } from '../../core/say.ts'
import type { SystemDef, Work } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { playerId, usernameOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { PlayerFeats } from '../achievement/state.ts'
import { ShipMatch } from '../arena/state.ts'
import { PACKAGE_WRITES } from '../cargo/rules.ts'
import { JettisonContainer } from '../cargo/state.ts'
import { BATTLE_WRITES, leaveCaptured } from '../combat/battles-rules.ts'
import { recordCapture } from '../combat/log-model.ts'
import {
  battleId,
  battles,
  combatantId,
  combatantName,
  kindOf,
  participantsOf,
  pilotOf,
  pilotsOf,
} from '../combat/model.ts'
import { respawn } from '../combat/rules.ts'
import { Battle, DamageClaim, FATES, Participant, STANCES } from '../combat/state.ts'
import { BUFF_WRITES } from '../consumable/rules.ts'
import { scrapBays } from '../drone/lifecycle-rules.ts'
import { Body, Drone, DroneMemo, DroneScript, DroneWord, Squadron } from '../drone/state.ts'
import { FleetRide } from '../fleet/state.ts'
import { endPolicy } from '../insurance/rules.ts'
import { Cover, Policy } from '../insurance/state.ts'
import { logAction } from '../log/rules.ts'
import { Note } from '../note/state.ts'
import { Convoy } from '../npc/convoy-state.ts'
import { npcOf } from '../npc/model.ts'
import { announceKill } from '../npc/radio-rules.ts'
import { removeNpc } from '../npc/rules.ts'
import { Npc, NpcPilot, SystemNpcs } from '../npc/state.ts'
import { captorBase, claimantOf, prizeId } from '../prize/model.ts'
import { openPrize } from '../prize/rules.ts'
import { PlayerPrizes, Prize } from '../prize/state.ts'
import { Tow, Wreck } from '../salvage/state.ts'
import { dropTow } from '../salvage/tow-rules.ts'
import { seePlayer } from '../sensing/model.ts'
import {
  canCarry,
  recountCargo,
  shipId,
  shipName,
  unitsThatFit,
  unloadCargo,
} from '../ship/model.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { poiId, poiName, systemId, systemName } from '../travel/model.ts'
import { PLACE_WRITES } from '../travel/rules.ts'
import { Location, Poi } from '../travel/state.ts'
import { LATCHED, STALLED_TICKS } from './assault-kernels.ts'
import { kernelsFile } from './kernels.ts'
import { linksOf, operationId } from './model.ts'
import { clearNotes, endBoarding, followBoardings, leaveBoarding, startBoardings } from './rules.ts'
import { shipCaptured } from './schemas.ts'
import { BattleBoarding, BOARDING_OUTCOMES, Boarding, LINK_PHASES, Link } from './state.ts'

/* Invariants of boardings. Source: combat.md section 10. */

const BOARD = STANCES.indexOf('board')
const ASSAULT = LINK_PHASES.indexOf('assault')

function checkLink(view: WorldView, row: Row, battle: Row): void {
  const link = view.read(Link)
  const boarding = view.read(Boarding)
  const { battle: battleOf, side, ship, stance } = view.read(Participant)
  const attacker = link.attacker[row]
  const target = link.target[row]
  assert(
    battleOf[attacker] === battle && battleOf[target] === battle,
    `boarding ${row} reaches beyond its battle`,
  )
  assert(side[attacker] !== side[target], `boarding ${row} is within one side`)
  assert(
    boarding.link[attacker] === row && boarding.link[target] === row,
    'a hull in two boardings',
  )
  assert(stance[attacker] === BOARD, `the boarder of ${row} does not board`)
  assert(boarding.locked[target] === link.attached[row], `boarding ${row} locks wrongly`)
  assert(link.phase[row] !== ASSAULT || link.attached[row] === 1, `boarding ${row} is unattached`)
  const { progress, timer, committed } = link
  assert(progress[row] <= LATCHED && timer[row] < STALLED_TICKS, `boarding ${row} is over`)
  const aboard = view.read(Ship).marinesFit[ship[attacker]]
  assert(committed[row] >= 1 && committed[row] <= aboard, `boarding ${row} has no marines`)
  assert(link.outcome[row] === 0, `boarding ${row} has ended and still exists`)
}

export const boardingsHold: CheckDef = {
  name: 'boardings: a hull is in one at most, with marines of the boarder',
  run(view, full) {
    if (!full) return
    for (const battle of battles(view)) {
      for (const row of linksOf(view, battle)) checkLink(view, row, battle)
    }
    const { link, locked } = view.read(Boarding)
    const { alive, stance } = view.read(Participant)
    for (let part = 1; part <= view.highOf(Participant); part++) {
      if (alive[part] === 0) continue
      if (link[part] === 0 && locked[part] === 1)
        assert(false, `participant ${part} is locked by no boarding`)
      if (link[part] === 0 && stance[part] === BOARD) assert(false, `${part} boards nobody`)
    }
  },
}

const STAYS = FATES.indexOf('stays')

/*
 * Capture: a taken hull becomes a prize at the place where the battle began. Source: combat.md 11.
 */

/**
 * Captures the hull of a boarding: it leaves the battle as a prize, and its pilot respawns. A
 * player may claim the prize; ships of the server send it to a base of theirs. The marines return
 * to the boarder if that stays in the battle; otherwise they stay on the prize as far as there is
 * room. Source: combat.md section 10.
 */
function captureShip(world: World, link: Row): void {
  const { attacker: attackerOf, target: targetOf, battle: battleOf, committed } = world.read(Link)
  const attacker = attackerOf[link]
  const target = targetOf[link]
  const battle = battleOf[link]
  const { ship: shipOf, fate } = world.read(Participant)
  const ship = shipOf[target]
  const owner = pilotOf(world, target)
  const witnesses = pilotsOf(world, participantsOf(world, battle))
  const captor = pilotOf(world, attacker)
  const guards = fate[attacker] === STAYS ? 0 : committed[link]
  const captorKind = kindOf(world, attacker)
  assert((captorKind === 'player') === (captor !== 0), 'only a player is the pilot of a captor')
  const former = formerOwner(world, target)
  const poi = prizePoi(world, battle, ship)
  const capture = {
    tick: world.tick,
    boarding_operation_id: operationId(world, link),
    captor_id: combatantId(world, attacker),
    captor_username: combatantName(world, attacker),
    captor_kind: captorKind,
    former_owner_id: former.id,
    former_owner_username: former.name,
    ship_id: shipId(world, ship),
    ship_class: SHIP_CLASSES[world.read(Ship).class[ship]].id,
  }
  garrison(world, shipOf[attacker], ship, guards)
  endBoarding(world, link, 'captured')
  dropTow(world, ship)
  endPolicy(world, ship)
  leaveCaptured(world, target)
  if (npcOf(world, ship) !== 0) removeNpc(world, ship)
  world.write(Battle).captured[battle]++
  if (owner !== 0) {
    scrapBays(world, ship)
    respawn(world, owner)
    addStat(world, owner, 'ships_lost', 1)
  }
  const home = captor === 0 ? captorBase(world, captorKind === 'pirate', poi) : 0
  if (captor !== 0) raiseCounter(world, captor, 'ships_captured')
  const prize = openPrize(world, { ship, poi, captor, home, former })
  const captured = { ...capture, prize_id: prizeId(world, prize) }
  recordCapture(world, battle, captured)
  const payload = { battle_id: battleId(world, battle), ...captured, ...whereabouts(world, battle) }
  emit(world, shipCaptured, payload, { kind: 'players', rows: witnesses })
}

/** Returns the pilot of a hull, or the claimant of a prize if everyone may know who they are. */
function formerOwner(view: WorldView, row: Row): { id: string; name: string } {
  const claimant = claimantOf(view, view.read(Participant).ship[row])
  return claimant !== 0 && seePlayer(view, 0, claimant) === 'full'
    ? { id: playerId(view, claimant), name: usernameOf(view, claimant) }
    : { id: combatantId(view, row), name: combatantName(view, row) }
}

/** Returns where the battle began; if that was in transit, where the hull is or departed from. */
function prizePoi(view: WorldView, battle: Row, ship: Eid): Eid {
  const { poi, fromPoi } = view.read(Location)
  return view.read(Battle).origin[battle] || poi[ship] || fromPoi[ship]
}

/**
 * Renders the prize's place; empty for a hidden one, or if the battle began in transit. Source:
 * spec, Events.
 */
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
 * Removes the wounded of the former crew, whose berths a new crew needs, and leaves aboard, as
 * guards, the marines who cannot return to their ship.
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
 * Plunders a hull for a ship of the server: what its hold can carry, the dearest for its size
 * first. The hull goes free. Source: combat.md section 10.
 */
function plunderShip(world: World, link: Row): void {
  const { attacker, target } = world.read(Link)
  const part = world.read(Participant)
  const pirate = part.ship[attacker[link]]
  const victim = part.ship[target[link]]
  const owner = pilotOf(world, target[link])
  const robber = shipName(world, pirate)
  endBoarding(world, link, 'plundered')
  let taken = 0
  for (const { item, units } of lootOf(world, victim)) {
    if (!canCarry(world, pirate, item)) continue
    const fits = Math.min(units, unitsThatFit(world, pirate, item))
    unloadCargo(world, victim, world.read(Ship).hold[pirate], item, fits)
    recountCargo(world, pirate)
    taken += fits
  }
  if (owner === 0) return
  announceKill(world, pirate, owner, 'plunder')
  const message = `${robber} took ${counted(taken, 'unit')} of cargo.`
  logAction(world, owner, 'combat', 'plundered', message, { quantity: taken })
}

/** Returns the goods of a hold by worth for their size, the dearest first, without quest items. */
function lootOf(view: WorldView, ship: Eid): Held[] {
  const gain = (a: GoodRow, b: GoodRow) => b.base_value * a.size - a.base_value * b.size
  return contentsOf(view, view.read(Ship).hold[ship])
    .filter(({ item }) => GOODS[item].quest_item !== true)
    .sort((a, b) => gain(GOODS[a.item], GOODS[b.item]) || a.item - b.item)
}

/* Systems */

/** Measured costs in the kernels, ns, rounded up. */
const PARTICIPANT_NS = 10
const ATTACK_NS = 40
const LINK_NS = 300

/** Returns whether a battle has a pending request or a boarding in progress. */
const isBoarded = (view: WorldView, battle: Row): boolean => {
  const { asked, first } = view.read(BattleBoarding)
  return asked[battle] === 1 || first[battle] !== 0
}

/** Returns the battles that are due, ordered by system and number; each system is a part. */
function workOf(
  world: World,
  isDue: (battle: Row) => boolean,
  costNs: (battle: Row) => number,
): Work | undefined {
  const { alive, system, seq } = world.read(Battle)
  const rows: number[] = []
  let estimateNs = 0
  for (let battle = 1; battle <= world.highOf(Battle); battle++) {
    if (alive[battle] === 0 || !isDue(battle)) continue
    rows.push(battle)
    estimateNs += costNs(battle)
  }
  if (rows.length === 0) return undefined
  rows.sort((a, b) => system[a] - system[b] || seq[a] - seq[b])
  const ends = rows.flatMap((row, i) => (system[row] === system[rows[i + 1]] ? [] : [i + 1]))
  return { rows: Uint32Array.from(rows), partEnds: Uint32Array.from(ends), estimateNs }
}

/** Step H3 of a fight. Source: combat.md sections 3, 10. */
export const closing: SystemDef = {
  name: 'boarding.close',
  phase: 'fight',
  after: 'combat.maneuver',
  writes: [BattleBoarding, Boarding, Link, Participant, Ship],
  split: {
    writes: [Participant, Boarding, BattleBoarding, Link],
    file: kernelsFile,
    kernel: 'close',
    prepare(world) {
      clearNotes(world)
      const { asked } = world.read(BattleBoarding)
      const { count } = world.read(Battle)
      return workOf(
        world,
        (battle) => isBoarded(world, battle),
        (battle) => LINK_NS + (asked[battle] === 1 ? count[battle] * PARTICIPANT_NS : 0),
      )
    },
    apply(world, work) {
      for (const battle of work.rows) {
        followBoardings(world, battle)
        startBoardings(world, battle)
      }
    },
  },
}

/** Step H7. Source: combat.md sections 3, 9, 10. */
export const assault: SystemDef = {
  name: 'boarding.assault',
  phase: 'fight',
  after: 'combat.fire',
  writes: [Boarding, Link, Participant, Ship],
  split: {
    writes: [Participant, Boarding, Link, Ship],
    file: kernelsFile,
    kernel: 'assault',
    prepare(world) {
      const { attackCount } = world.read(Battle)
      return workOf(
        world,
        (battle) => attackCount[battle] > 0 || isBoarded(world, battle),
        (battle) => LINK_NS + attackCount[battle] * ATTACK_NS,
      )
    },
    apply() {},
  },
}

/** Step H10: captures and plunder, and boardings that end because a hull leaves the fight. */
export const settle: SystemDef = {
  name: 'boarding.settle',
  phase: 'fight',
  after: 'combat.report',
  writes: [
    ...SHIP_WRITES,
    ...PLACE_WRITES,
    ...PACKAGE_WRITES,
    ...BATTLE_WRITES,
    ...BUFF_WRITES,
    Body,
    Cover,
    DamageClaim,
    Drone,
    DroneMemo,
    DroneScript,
    DroneWord,
    FleetRide,
    Convoy,
    PlayerPrizes,
    NpcPilot,
    JettisonContainer,
    Link,
    Note,
    Npc,
    PlayerFeats,
    Policy,
    Prize,
    ShipMatch,
    Squadron,
    SystemNpcs,
    Tow,
    Wreck,
  ],
  run(world) {
    for (const battle of battles(world)) {
      for (const link of linksOf(world, battle)) settleLink(world, link)
    }
  },
}

function settleLink(world: World, row: Row): void {
  const { outcome, attacker, target } = world.read(Link)
  const { fate } = world.read(Participant)
  const name = BOARDING_OUTCOMES[outcome[row]]
  if (name === 'captured') captureShip(world, row)
  else if (name === 'plundered') plunderShip(world, row)
  else if (name !== 'none') endBoarding(world, row, name)
  else if (fate[attacker[row]] !== STAYS) leaveBoarding(world, attacker[row])
  else if (fate[target[row]] !== STAYS) leaveBoarding(world, target[row])
}
