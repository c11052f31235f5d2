/**
 * In and out of the ring. What a ship is like is noted when it enters and given back when it
 * leaves, however it leaves: nothing of a match lasts but experience. Source: combat.md section
 * 14.
 */
import { assert } from '../../core/assert.ts'
import { emit } from '../../core/event.ts'
import { contentsOf, namedContainer } from '../../core/goods.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { raiseCounter } from '../achievement/rules.ts'
import { battleId, type LeaveReason, participantsOf } from '../combat/model.ts'
import { Battle, Participant, ShipCombat } from '../combat/state.ts'
import { dropBuffs, startBuff } from '../consumable/rules.ts'
import { peopleOf } from '../personnel/model.ts'
import { changePeople } from '../personnel/rules.ts'
import { setCloak } from '../sensing/rules.ts'
import { loadCargo, modulesOf, unloadCargo } from '../ship/model.ts'
import { recompute, releaseShip, trackShield } from '../ship/rules.ts'
import { Module, Ship } from '../ship/state.ts'
import { relistShip, removeFromMap } from '../travel/rules.ts'
import { matchIn, matchKey, renderEnemy, stakeKey, type Verdict } from './model.ts'
import { arenaObjective } from './schemas.ts'
import { MATCHES, OWN_SIDE, ShipMatch, STAKES, type Stake, WINS } from './state.ts'

/* Waves */

/** Ships of the house in the ring. */
export function enemiesIn(view: WorldView, battle: Row): Eid[] {
  const { ship } = view.read(Participant)
  const { fighter } = view.read(ShipMatch)
  return participantsOf(view, battle)
    .map((row) => ship[row])
    .filter((hull) => fighter[hull] !== 0)
}

interface News {
  readonly event: 'wave_arrived' | 'objective_won' | 'objective_lost'
  readonly enemies: ReturnType<typeof renderEnemy>[]
  readonly message: string
  readonly wave_name?: string
  readonly objective?: 'survive_ticks' | 'time_limit' | 'enemy_escaped'
}

/** Tells every player who entered, knocked out or not. */
export function notifyFighters(world: World, battle: Row, news: News): void {
  const match = matchIn(world, battle)
  assert(match && match.challenge !== '', 'a duel has no objective')
  const rows = match.players.map((number) => world.rowOf(Player, number)).filter(Boolean)
  const head = { battle_id: battleId(world, battle), challenge_id: match.challenge }
  emit(world, arenaObjective, { ...head, ...news }, { kind: 'players', rows })
}

/** Counts a win, tells how it went, and forgets the match; its ships are still in the ring. */
export function settleMatch(world: World, battle: Row, verdict: Verdict): void {
  const match = matchIn(world, battle)
  assert(match, `battle ${battle} is no match`)
  if (match.challenge !== '') {
    const isWon = verdict.winner === OWN_SIDE
    if (isWon) for (const player of match.players) countWin(world, player, match.challenge)
    notifyFighters(world, battle, {
      event: isWon ? 'objective_won' : 'objective_lost',
      enemies: enemiesIn(world, battle).map((ship) => renderEnemy(world, ship)),
      message: isWon ? 'The challenge is won.' : 'The challenge is lost.',
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
 * A ship is out of its match, and in no battle any more: a player's is as it was before, one of the
 * house is gone. Nothing for ships that were in no match.
 */
export function leaveRing(world: World, ship: Eid, reason: LeaveReason): void {
  const contest = world.write(ShipMatch)
  const battle = contest.match[ship]
  if (battle === 0) return
  const isRunaway = contest.flees[ship] === 1 && reason === 'fled'
  if (isRunaway) recordEscape(world, battle)
  if (contest.fighter[ship] !== 0) {
    removeFromMap(world, ship)
    releaseShip(world, ship)
    return
  }
  contest.match[ship] = 0
  relistShip(world, ship)
  giveBack(world, ship)
}

function recordEscape(world: World, battle: Row): void {
  const key = String(world.read(Battle).seq[battle])
  const match = world.records(MATCHES).get(key)
  if (match) world.records(MATCHES).set(key, { ...match, escaped: true })
}

function giveBack(world: World, ship: Eid): void {
  const key = stakeKey(world, ship)
  const stake = world.records(STAKES).get(key)
  assert(stake, `ship ${ship} has nothing to get back`)
  world.records(STAKES).delete(key)
  dropBuffs(world, ship)
  for (const [item, until] of stake.buffs) {
    if (until >= world.tick) startBuff(world, ship, item, until)
  }
  giveBackPeople(world, ship, stake)
  giveBackGoods(world, ship, stake)
  recompute(world, ship)
  const own = world.write(Ship)
  own.hull[ship] = Math.min(stake.hull, own.hullMax[ship])
  own.shield[ship] = Math.min(stake.shield, own.shieldMax[ship])
  own.fuel[ship] = Math.min(stake.fuel, own.fuelMax[ship])
  own.issueFuel[ship] = Math.min(stake.issueFuel, own.fuel[ship])
  const fighting = world.write(ShipCombat)
  fighting.aggressiveUntil[ship] = stake.aggressiveUntil
  fighting.graceUntil[ship] = stake.graceUntil
  fighting.lastBattle[ship] = stake.lastBattle
  fighting.cloakReadyTick[ship] = stake.cloakReadyTick
  if (stake.cloaked) setCloak(world, own.owner[ship], true)
  trackShield(world, ship)
}

function giveBackPeople(world: World, ship: Eid, stake: Stake): void {
  const { fitCrew, injuredCrew, fitMarines, injuredMarines } = peopleOf(world, ship)
  changePeople(world, ship, {
    fitCrew: stake.crewFit - fitCrew,
    injuredCrew: stake.crewInjured - injuredCrew,
    fitMarines: stake.marinesFit - fitMarines,
    injuredMarines: stake.marinesInjured - injuredMarines,
  })
}

/** Magazines and hold: what was loaded, burned or used comes back from the house. */
function giveBackGoods(world: World, ship: Eid, stake: Stake): void {
  const { number, ammo, ammoType, cooldown } = world.write(Module)
  const saved = new Map(stake.modules.map(([module, ...state]) => [module, state]))
  for (const row of modulesOf(world, ship)) {
    const state = saved.get(number[row])
    assert(state, `module ${row} was not there before the match`)
    ammo[row] = state[0]
    ammoType[row] = state[1]
    cooldown[row] = state[2]
  }
  const house = namedContainer('arena')
  const before = new Map(stake.cargo)
  for (const { item, units } of contentsOf(world, world.read(Ship).hold[ship])) {
    const surplus = units - (before.get(item) ?? 0)
    if (surplus > 0) unloadCargo(world, ship, house, item, surplus)
    if (surplus < 0) loadCargo(world, ship, house, item, -surplus)
    before.delete(item)
  }
  for (const [item, units] of before) loadCargo(world, ship, house, item, units)
}
