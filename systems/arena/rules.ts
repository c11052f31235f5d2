/**
 * Settling matches and restoring the ships that leave them: a ship's state is saved when it enters
 * and restored when it leaves, however it leaves. Only experience lasts. Source: combat.md section
 * 14.
 */
import { assert } from '../../core/assert.ts'
import { CHALLENGES } from '../../core/catalog/index.ts'
import { emit } from '../../core/event.ts'
import { contentsOf, namedContainer } from '../../core/goods.ts'
import { listed, say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { battleId, type LeaveReason, participantsOf } from '../combat/model.ts'
import { Battle, Participant, ShipCombat } from '../combat/state.ts'
import { dropBuffs, startBuff } from '../consumable/rules.ts'
import { recordProgress } from '../mission/rules.ts'
import { peopleOf } from '../personnel/model.ts'
import { changePeople } from '../personnel/rules.ts'
import { setCloak } from '../sensing/rules.ts'
import { loadCargo, modulesOf, unloadCargo } from '../ship/model.ts'
import { recompute, releaseShip, trackShield } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { relistShip, removeFromMap } from '../travel/rules.ts'
import { matchIn, matchKey, renderEnemy, savedShipKey, type Verdict } from './model.ts'
import { arenaObjective } from './schemas.ts'
import { MATCHES, OWN_SIDE, SAVED_SHIPS, type SavedShip, ShipMatch, WINS } from './state.ts'

/* Waves */

/** Lists the ships of the house in a match. */
export function enemiesIn(view: WorldView, battle: Row): Eid[] {
  const { ship } = view.read(Participant)
  const { fighter } = view.read(ShipMatch)
  return participantsOf(view, battle)
    .map((row) => ship[row])
    .filter((other) => fighter[other] !== 0)
}

interface ObjectivePayload {
  readonly event: 'wave_arrived' | 'objective_won' | 'objective_lost'
  readonly enemies: ReturnType<typeof renderEnemy>[]
  readonly message: string
  readonly wave_name?: string
  readonly objective?: 'survive_ticks' | 'time_limit' | 'enemy_escaped'
}

/** Notifies every player who entered the match, knocked out or not. */
export function notifyFighters(world: World, battle: Row, payload: ObjectivePayload): void {
  const match = matchIn(world, battle)
  assert(match && match.challenge !== '', 'a duel has no objective')
  const rows = match.players.map((number) => world.rowOf(Player, number)).filter(Boolean)
  const head = { battle_id: battleId(world, battle), challenge_id: match.challenge }
  emit(world, arenaObjective, { ...head, ...payload }, { kind: 'players', rows })
}

/** Says that a challenge is won, and which others ask for that win. */
function winMessage(challenge: string): string {
  const next = CHALLENGES.filter(({ requires }) => requires.includes(challenge))
  if (next.length === 0) return 'The challenge is won.'
  const names = listed(next.map(({ name }) => name))
  return say`The challenge is won. It counts for ${names}: {arena challenges} says where they are fought.`
}

/** Counts a win, notifies the players, and removes the match; its ships have yet to leave. */
export function settleMatch(world: World, battle: Row, verdict: Verdict): void {
  const match = matchIn(world, battle)
  assert(match, `battle ${battle} is not a match`)
  for (const number of match.players) {
    const player = world.rowOf(Player, number)
    if (player !== 0) recordProgress(world, player, 'arena_bout')
  }
  if (match.challenge !== '') {
    const isWon = verdict.winner === OWN_SIDE
    if (isWon) for (const player of match.players) countWin(world, player, match.challenge)
    notifyFighters(world, battle, {
      event: isWon ? 'objective_won' : 'objective_lost',
      enemies: enemiesIn(world, battle).map((ship) => renderEnemy(world, ship)),
      message: isWon ? winMessage(match.challenge) : 'The challenge is lost.',
      ...(verdict.objective ? { objective: verdict.objective } : {}),
    })
  }
  world.records(MATCHES).delete(matchKey(world, battle))
}

function countWin(world: World, player: number, challenge: string): void {
  const wins = world.records(WINS).get(String(player)) ?? {}
  const sum = (wins[challenge] ?? 0) + 1
  const row = world.rowOf(Player, player)
  if (row !== 0) raiseCounter(world, row, 'arena_challenges_won')
  world.records(WINS).set(String(player), { ...wins, [challenge]: sum })
}

/**
 * Takes a ship out of its match after it has left the battle: a player's is restored, one of the
 * house is released. Does nothing for ships that were in no match.
 */
export function leaveRing(world: World, ship: Eid, reason: LeaveReason): void {
  const shipMatch = world.write(ShipMatch)
  const battle = shipMatch.match[ship]
  if (battle === 0) return
  const isRunaway = shipMatch.flees[ship] === 1 && reason === 'fled'
  if (isRunaway) recordEscape(world, battle)
  if (shipMatch.fighter[ship] !== 0) {
    removeFromMap(world, ship)
    releaseShip(world, ship)
    return
  }
  shipMatch.match[ship] = 0
  relistShip(world, ship)
  restoreShip(world, ship)
}

function recordEscape(world: World, battle: Row): void {
  const key = String(world.read(Battle).seq[battle])
  const match = world.records(MATCHES).get(key)
  if (match) world.records(MATCHES).set(key, { ...match, escaped: true })
}

function restoreShip(world: World, ship: Eid): void {
  const key = savedShipKey(world, ship)
  const saved = world.records(SAVED_SHIPS).get(key)
  assert(saved, `ship ${ship} has no saved state`)
  world.records(SAVED_SHIPS).delete(key)
  dropBuffs(world, ship)
  for (const [item, until] of saved.buffs) {
    if (until >= world.tick) startBuff(world, ship, item, until)
  }
  restorePeople(world, ship, saved)
  restoreGoods(world, ship, saved)
  recompute(world, ship)
  const ships = world.write(Ship)
  ships.hull[ship] = Math.min(saved.hull, ships.hullMax[ship])
  ships.shield[ship] = Math.min(saved.shield, ships.shieldMax[ship])
  ships.fuel[ship] = Math.min(saved.fuel, ships.fuelMax[ship])
  ships.issueFuel[ship] = Math.min(saved.issueFuel, ships.fuel[ship])
  const shipCombat = world.write(ShipCombat)
  shipCombat.aggressiveUntil[ship] = saved.aggressiveUntil
  shipCombat.graceUntil[ship] = saved.graceUntil
  shipCombat.lastBattle[ship] = saved.lastBattle
  shipCombat.cloakReadyTick[ship] = saved.cloakReadyTick
  if (saved.cloaked) setCloak(world, ships.owner[ship], true)
  trackShield(world, ship)
}

function restorePeople(world: World, ship: Eid, saved: SavedShip): void {
  const { fitCrew, injuredCrew, fitMarines, injuredMarines } = peopleOf(world, ship)
  changePeople(world, ship, {
    fitCrew: saved.crewFit - fitCrew,
    injuredCrew: saved.crewInjured - injuredCrew,
    fitMarines: saved.marinesFit - fitMarines,
    injuredMarines: saved.marinesInjured - injuredMarines,
  })
}

/** Restores magazines and hold: what was fired or used up comes from the house. */
function restoreGoods(world: World, ship: Eid, saved: SavedShip): void {
  const { number, ammo, ammoType, cooldown } = world.write(Module)
  const modules = new Map(saved.modules.map(([module, ...state]) => [module, state]))
  for (const row of modulesOf(world, ship)) {
    const state = modules.get(number[row])
    assert(state, `module ${row} was not there before the match`)
    ammo[row] = state[0]
    ammoType[row] = state[1]
    cooldown[row] = state[2]
  }
  const house = namedContainer('arena')
  const before = new Map(saved.cargo)
  for (const { item, units } of contentsOf(world, world.read(Ship).hold[ship])) {
    const surplus = units - (before.get(item) ?? 0)
    if (surplus > 0) unloadCargo(world, ship, house, item, surplus)
    if (surplus < 0) loadCargo(world, ship, house, item, -surplus)
    before.delete(item)
  }
  for (const [item, units] of before) loadCargo(world, ship, house, item, units)
}
