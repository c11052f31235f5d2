/** Beginning matches, and the waves that enter them. */
import { assert } from '../../core/assert.ts'
import type { ChallengeRow, Enemy, Wave } from '../../core/catalog/arena-challenges.ts'
import { challengeById, FIGHTERS, fighterIndex, shipClassIndex } from '../../core/catalog/index.ts'
import { rowsOf } from '../../core/columns.ts'
import { contentsOf } from '../../core/goods.ts'
import { TABLE_FILL_MAX_PCT } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { Boarding } from '../boarding/state.ts'
import { isNearlyFull } from '../cargo/model.ts'
import { addSide, joinBattle, makeHostile, openBattle } from '../combat/battles-rules.ts'
import { Battle, Participant, ShipCombat } from '../combat/state.ts'
import { buffsOf } from '../consumable/model.ts'
import { Buff } from '../consumable/state.ts'
import { setCloak } from '../sensing/rules.ts'
import { modulesOf } from '../ship/model.ts'
import { createShip, recompute, trackShield } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { placeInSpace, unlistShip } from '../travel/rules.ts'
import { Poi } from '../travel/state.ts'
import { isPending, matchIn, matchKey, renderEnemy, savedShipKey } from './model.ts'
import { enemiesIn, notifyFighters } from './rules.ts'
import {
  MATCHES,
  type Match,
  OTHER_SIDE,
  OWN_SIDE,
  SAVED_SHIPS,
  type SavedShip,
  ShipMatch,
} from './state.ts'

/** Lists the matches with their battles, in the order in which they began. */
export function matchesOf(view: WorldView): { battle: Row; match: Match }[] {
  return [...view.records(MATCHES).entries()].map(([key, match]) => ({
    battle: view.rowOf(Battle, Number(key)),
    match,
  }))
}

/* Beginning */

/** Returns whether the tables have room for a match with so many ships that the arena provides. */
export function hasRoomFor(view: WorldView, fighters: number): boolean {
  const ships = divFloor(rowsOf(Ship, view.maxEntities) * TABLE_FILL_MAX_PCT, 100)
  return (
    !isNearlyFull(view, Battle) &&
    !isNearlyFull(view, Participant) &&
    view.countOf(Ship) + fighters <= ships
  )
}

/** Begins a match between two sides, or of one side against the house. Returns its battle. */
export function beginMatch(
  world: World,
  poi: Eid,
  sides: readonly (readonly Eid[])[],
  challenge?: ChallengeRow,
): Row {
  const [own, other] = sides
  const isAgainstHouse = challenge !== undefined
  assert(own.length > 0 && isAgainstHouse === (other.length === 0), 'a match lacks a side')
  const battle = openBattle(world, own[0], 'arena')
  for (const _ of [OWN_SIDE, OTHER_SIDE]) addSide(world, battle)
  makeHostile(world, battle, OWN_SIDE, OTHER_SIDE)
  const { owner } = world.read(Ship)
  const { seq } = world.read(Player)
  world.records(MATCHES).set(matchKey(world, battle), {
    poi: world.read(Poi).seq[poi],
    challenge: challenge?.id ?? '',
    startTick: world.tick,
    players: [...own, ...other].map((ship) => seq[owner[ship]]),
    waves: 0,
    escaped: false,
  })
  for (const ship of own) enterRing(world, battle, ship, OWN_SIDE)
  for (const ship of other) enterRing(world, battle, ship, OTHER_SIDE)
  for (const enemy of challenge?.enemies ?? []) sendFighter(world, battle, poi, enemy)
  return battle
}

function isWaveDue(view: WorldView, match: Match, wave: Wave, enemies: number): boolean {
  const { afterTicks = 0, whenEnemiesRemaining = Number.POSITIVE_INFINITY } = wave
  return view.tick - match.startTick >= afterTicks && enemies <= whenEnemiesRemaining
}

/** Sends in the waves that are due, unless the world has no room just now. */
export function sendWaves(world: World, battle: Row, match: Match): void {
  const poi = world.rowOf(Poi, match.poi)
  const { waves = [] } = challengeById(match.challenge) ?? {}
  for (const [index, wave] of waves.entries()) {
    const current = matchIn(world, battle) ?? match
    const enemies = enemiesIn(world, battle).length
    if (!isPending(current, index) || !isWaveDue(world, current, wave, enemies)) continue
    if (!hasRoomFor(world, wave.npcs.length)) return
    const waves = current.waves | (1 << index)
    world.records(MATCHES).set(matchKey(world, battle), { ...current, waves })
    const sent = wave.npcs.map((enemy) => sendFighter(world, battle, poi, enemy))
    const { ship } = world.read(Participant)
    notifyFighters(world, battle, {
      event: 'wave_arrived',
      wave_name: wave.name,
      enemies: sent.map((row) => renderEnemy(world, ship[row])),
      message: `${wave.name}: ${sent.length} more in the ring.`,
    })
  }
}

/** Returns the state of a ship that a match may change, to be restored afterwards. */
export function savedShipOf(view: WorldView, ship: Eid): SavedShip {
  const ships = view.read(Ship)
  const { aggressiveUntil, graceUntil, lastBattle, cloakReadyTick } = view.read(ShipCombat)
  const module = view.read(Module)
  const buff = view.read(Buff)
  return {
    hull: ships.hull[ship],
    shield: ships.shield[ship],
    fuel: ships.fuel[ship],
    issueFuel: ships.issueFuel[ship],
    crewFit: ships.crewFit[ship],
    crewInjured: ships.crewInjured[ship],
    marinesFit: ships.marinesFit[ship],
    marinesInjured: ships.marinesInjured[ship],
    modules: modulesOf(view, ship).map((row) => [
      module.number[row],
      module.ammo[row],
      module.ammoType[row],
      module.cooldown[row],
    ]),
    cargo: contentsOf(view, ships.hold[ship]).map(({ item, units }) => [item, units]),
    buffs: buffsOf(view, ship).map((row) => [buff.item[row], buff.expireTick[row]]),
    aggressiveUntil: aggressiveUntil[ship],
    graceUntil: graceUntil[ship],
    lastBattle: lastBattle[ship],
    cloakReadyTick: cloakReadyTick[ship],
    cloaked: view.read(Player).cloaked[ships.owner[ship]] === 1,
  }
}

/** Brings a player's ship into a match, and saves its state. Returns its participant. */
function enterRing(world: World, battle: Row, ship: Eid, side: number): Row {
  world.records(SAVED_SHIPS).set(savedShipKey(world, ship), savedShipOf(world, ship))
  setCloak(world, world.read(Ship).owner[ship], false)
  unlistShip(world, ship)
  world.write(ShipMatch).match[ship] = battle
  const row = joinBattle(world, battle, ship, side)
  // ours: a hull cannot be captured, because a match has no lasting consequences
  world.write(Boarding).capable[row] = 0
  return row
}

/** Creates a ship of the house in a match. Returns its participant. */
function sendFighter(world: World, battle: Row, poi: Eid, enemy: Enemy): Row {
  const index = fighterIndex(enemy.npc)
  assert(index >= 0, `there is no fighter ${enemy.npc}`)
  const shipClass = shipClassIndex(FIGHTERS[index].shipClass)
  const ship = createShip(world, { owner: 0, shipClass, modules: [], issue: true })
  const shipMatch = world.write(ShipMatch)
  shipMatch.match[ship] = battle
  shipMatch.fighter[ship] = index + 1
  shipMatch.flees[ship] = enemy.flees ? 1 : 0
  world.setText(Ship, 'name', ship, FIGHTERS[index].name)
  recompute(world, ship)
  const { hull, hullMax, shield, shieldMax } = world.write(Ship)
  hull[ship] = hullMax[ship]
  shield[ship] = shieldMax[ship]
  trackShield(world, ship)
  placeInSpace(world, ship, poi)
  return joinBattle(world, battle, ship, OTHER_SIDE)
}
