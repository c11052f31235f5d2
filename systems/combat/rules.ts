/**
 * Waking up at home in another ship: who lost their own, and who rode in it. Source: combat.md
 * section 16.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES, itemIndex, STARTER, shipClassIndex } from '../../core/catalog/index.ts'
import { fail } from '../../core/errors.ts'
import { emit } from '../../core/event.ts'
import { namedContainer } from '../../core/goods.ts'
import { BATTLE_LISTED_MAX } from '../../core/limits.ts'
import { answerLater, pendingOf, takeBack } from '../../core/pending.ts'
import { hash32 } from '../../core/rng.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { capitalOf } from '../base/model.ts'
import { replaceIssue } from '../fitting/rules.ts'
import { fleetOf, ridersOf } from '../fleet/model.ts'
import { endRide, notifyFleet } from '../fleet/rules.ts'
import { chargeAttack } from '../law/crimes-rules.ts'
import { type Deed, lawOf, playerVictim } from '../law/model.ts'
import { collectBounty, enforceLaw } from '../law/rules.ts'
import { seePlayer } from '../sensing/model.ts'
import { activeShip, moduleTypeOf, shipClassOf, shipId, unloadCargo } from '../ship/model.ts'
import { createShip } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { neighboursOf, playersIn, poiId, systemId } from '../travel/model.ts'
import { dockingRefusal, dockShip, place } from '../travel/rules.ts'
import { Location, Poi, StarSystem } from '../travel/state.ts'
import {
  accountOf,
  cheapestFitting,
  isMatch,
  keyOf,
  rollOf,
  takesAnything,
} from './crimes-model.ts'
import { maulingsOf } from './destruction-model.ts'
import { type Capture, DRAFTS, type Draft, type Entry, ROLLS } from './feed-state.ts'
import {
  battleId,
  combatantOf,
  DIRECTION,
  isFighting,
  PILOTLESS_TICKS,
  pilotOf,
  pilotSign,
} from './model.ts'
import { pilotlessShip } from './schemas.ts'
import {
  Battle,
  DamageClaim,
  GAINS,
  type Gains,
  Participant,
  PILOTLESS,
  PlayerCombat,
} from './state.ts'

/** Charges an attack in the battle it has opened or joined. */
export function chargeDeed(world: World, deed: Deed | undefined, battle: Row): void {
  if (deed && !isMatch(world, battle)) chargeAttack(world, deed, battle)
}

/**
 * Joining a side counts as an attack on every player of the sides hostile to it. Source: combat.md
 * section 1.
 */
export function chargeEngagement(world: World, row: Row, enemies: readonly Row[]): void {
  const { battle, side } = world.read(Participant)
  const standing = { battle: battle[row], side: side[row] }
  const offender = pilotOf(world, row)
  const system = world.read(Battle).system[battle[row]]
  for (const enemy of enemies) {
    const player = pilotOf(world, enemy)
    if (player === 0) continue
    const victim = playerVictim(world, player)
    chargeAttack(world, { offender, victim, system, standing }, battle[row])
  }
}

/** Who is destroyed by police is in their hands: they pay, or wake up detained. */
export function collectByPolice(world: World, player: Eid, ship: Eid): void {
  const empire = lawOf(world, world.read(Location).system[ship])
  if (empire >= 0) collectBounty(world, player, empire)
}

/** Puts a ship that is in no battle at the entry of a neighbouring system. */
export function ejectPlayer(world: World, ship: Eid): void {
  const { seq } = world.read(Ship)
  const ways = neighboursOf(world, world.read(Location).system[ship])
  assert(ways.length > 0, 'a system has no neighbour')
  const way = ways[hash32(world.seed, world.tick, DIRECTION, seq[ship]) % ways.length]
  place(world, ship, world.read(StarSystem).entryPoi[way.to])
  const owner = world.read(Ship).owner[ship]
  if (owner !== 0) enforceLaw(world, owner, way.to)
}

export function draftOf(world: World, battle: Row): Draft {
  const drafts = world.index(DRAFTS)
  const found = drafts.get(battle)
  if (found) return found
  const draft: Draft = {
    battle: world.read(Battle).seq[battle],
    id: battleId(world, battle),
    system: systemId(world, world.read(Battle).system[battle]),
    lists: { snapshots: [] },
  }
  drafts.set(battle, draft)
  return draft
}

/** Adds an entry to the row of this tick. */
export function recordInLog(world: World, battle: Row, list: string, entry: Entry): void {
  const { lists } = draftOf(world, battle)
  lists[list] ??= []
  lists[list].push(entry)
}

/** Burns one item of ammunition out of the ship's hold and fills the magazine with it. */
export function fillMagazine(world: World, ship: Eid, module: Row, item: number): void {
  const { ammo, ammoType } = world.write(Module)
  unloadCargo(world, ship, namedContainer('consumption'), item, 1)
  ammo[module] = moduleTypeOf(world, module).magazine_size ?? 0
  ammoType[module] = item + 1
}

/**
 * Loads a weapon that was just fitted, if there is ammunition for it aboard; what throws anything
 * is left empty. Source: ships.md section 3.
 */
export function loadFitted(world: World, ship: Eid, module: Row): void {
  const weapon = moduleTypeOf(world, module)
  if (weapon.ammo_type === undefined || takesAnything(weapon)) return
  const item = cheapestFitting(world, ship, module)
  if (item >= 0) fillMagazine(world, ship, module, item)
}

/** Forgets who hurt a participant that leaves. */
export function forgetMaulings(world: World, row: Row): void {
  for (const at of maulingsOf(world, row)) world.release(DamageClaim, at)
  world.write(Participant).mauled[row] = 0
}

/*
 * Ships whose pilot's last connection ended in a fight: they stay in space, braced, for a while.
 * Source: combat.md section 15, spec, States and transitions.
 */

/** The last connection of a player has ended. Nothing where they are not fighting. */
export function leaveControls(world: World, player: Eid): void {
  if (!isFighting(world, player)) return
  world.write(PlayerCombat).pilotlessUntil[player] = world.tick + PILOTLESS_TICKS
  world.index(PILOTLESS).add(player)
  const row = combatantOf(world, player)
  if (row !== 0) {
    const part = world.write(Participant)
    part.pilotless[row] = 1
    part.orderTick[row] = 0
  }
  notifyReconnected(world, player)
}

function notifyReconnected(world: World, player: Eid): void {
  if (seePlayer(world, 0, player) === 'nothing') return
  const ship = activeShip(world, player)
  const { poi, system } = world.read(Location)
  const isKnown = poi[ship] !== 0 && world.read(Poi).hidden[poi[ship]] === 0
  const { id, name } = pilotSign(world, player, ship)
  const payload = {
    player_id: id,
    player_username: name,
    ship_id: shipId(world, ship),
    ship_class: shipClassOf(world, ship).id,
    system_id: systemId(world, system[ship]),
    poi_id: isKnown ? poiId(world, poi[ship]) : '',
    expire_tick: world.tick + PILOTLESS_TICKS,
    ticks_remaining: PILOTLESS_TICKS,
  }
  emit(world, pilotlessShip, payload, { kind: 'players', rows: playersIn(world, system[ship]) })
}

/** What a player who comes back is told first; undefined for one whose ship waited for nobody. */
interface Reconnected {
  readonly message: string
  readonly was_pilotless: true
  readonly ticks_remaining: number
}

/** A player has connected: the ship has a pilot again. */
export function takeControls(world: World, player: Eid): Reconnected | undefined {
  const row = combatantOf(world, player)
  if (row !== 0) world.write(Participant).pilotless[row] = 0
  const until = world.read(PlayerCombat).pilotlessUntil[player]
  if (until === 0) return undefined
  forgetPilotless(world, player)
  return {
    message: 'You are back at the controls of your ship.',
    was_pilotless: true,
    ticks_remaining: Math.max(0, until - world.tick),
  }
}

/** The ship that waited is gone, or its time is over. */
export function forgetPilotless(world: World, player: Eid): void {
  world.write(PlayerCombat).pilotlessUntil[player] = 0
  world.index(PILOTLESS).delete(player)
}

/** Notes who leaves a battle before its end, as long as the roll has room. */
export function recordDeparture(world: World, row: Row, survived: boolean): void {
  const battle = world.read(Participant).battle[row]
  const roll = rollOf(world, battle)
  if (roll.departed.length >= BATTLE_LISTED_MAX) return
  const player = pilotOf(world, row)
  const isLoss = player !== 0 && !survived
  world.records(ROLLS).set(keyOf(world, battle), {
    ...roll,
    departed: [...roll.departed, accountOf(world, row, survived)],
    lost: isLoss ? [...roll.lost, world.read(Player).seq[player]] : roll.lost,
  })
}

/** Notes that a hull was taken. */
export function recordCapture(world: World, battle: Row, capture: Capture): void {
  const roll = rollOf(world, battle)
  if (roll.captures.length >= BATTLE_LISTED_MAX) return
  recordInLog(world, battle, 'captures', capture)
  const captures = [...roll.captures, capture]
  world.records(ROLLS).set(keyOf(world, battle), { ...roll, captures })
}

export function closeRoll(world: World, battle: Row): void {
  world.records(ROLLS).delete(keyOf(world, battle))
}

/** A kill, a capture or an escape: the count begins anew. */
export function recordTurn(world: World, battle: Row): void {
  const { eventTick, heldTicks } = world.write(Battle)
  eventTick[battle] = world.tick
  heldTicks[battle] = 0
}

/** Takes what a participant's attacks of this tick brought; undefined for nothing. */
export function takeGains(world: World, row: Row): Gains | undefined {
  const gains = world.index(GAINS)
  const found = gains.get(row)
  gains.delete(row)
  return found
}

/** The home base if it takes the player in, else the capital of the origin. */
function wakingBase(view: WorldView, player: Eid, isPaid: boolean): Eid {
  const { homeBase, empire } = view.read(Player)
  const home = homeBase[player]
  if (isPaid && home !== 0 && !dockingRefusal(view, player, home)) return home
  return capitalOf(view, empire[player])
}

/**
 * Gives a player who has lost the ship another, all issue, docked at home; returns the base. What
 * was pending is dropped: it was for a ship that is gone. The old hull is the caller's to release.
 */
export function respawn(world: World, player: Eid, isPaid = true): Eid {
  for (const rider of ridersOf(world, player)) loseRide(world, rider)
  endRide(world, player)
  takeBack(world, player)
  forgetPilotless(world, player)
  const owed = pendingOf(world, player)
  // who destroys their own ship is answered by the command itself
  if (owed && owed.command !== 'self_destruct') {
    answerLater(world, player, fail('combat_interrupt'))
  }
  const origin = EMPIRES[world.read(Player).empire[player]].id
  const kit = STARTER.find(({ empire }) => empire === origin) ?? STARTER[0]
  const base = wakingBase(world, player, isPaid)
  replaceIssue(world, player)
  const ship = createShip(world, {
    owner: player,
    shipClass: shipClassIndex(kit.ship_class),
    modules: kit.modules.map(itemIndex),
    issue: true,
  })
  world.write(Player).ship[player] = ship
  dockShip(world, ship, base)
  return base
}

/** A passenger whose carrier is lost wakes at home too; ours: it costs them nothing but the way. */
export function loseRide(world: World, rider: Eid): void {
  const fleet = fleetOf(world, rider)
  respawn(world, rider)
  if (fleet === 0) return
  const message = 'The ship you rode in goes no further; you wake at home.'
  notifyFleet(world, fleet, { event: 'ride_lost', player: rider, message, to: [rider] })
}
