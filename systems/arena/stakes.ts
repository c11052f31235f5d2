/**
 * In and out of the ring. What a ship is like is noted when it enters and given back when it
 * leaves, however it leaves: nothing of a match lasts but experience. Source: combat.md section 14.
 */
import { assert } from '../../core/assert.ts'
import type { Enemy } from '../../core/catalog/arena-challenges.ts'
import { FIGHTERS, fighterIndex, shipClassIndex } from '../../core/catalog/index.ts'
import { contentsOf, namedContainer } from '../../core/goods.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { Boarding } from '../boarding/columns.ts'
import { loadCargo, unloadCargo } from '../cargo/rules.ts'
import { Battle, Fighting } from '../combat/columns.ts'
import { joinBattle, type LeaveReason } from '../combat/rules.ts'
import { Buff } from '../consumable/columns.ts'
import { buffsOf, dropBuffs, restoreBuff } from '../consumable/rules.ts'
import { changePeople, peopleOf } from '../personnel/rules.ts'
import { setCloak } from '../sensing/rules.ts'
import { Module, Ship } from '../ship/columns.ts'
import { createShip, modulesOf, recompute, releaseShip, trackShield } from '../ship/rules.ts'
import { place, stepAside, stepBack, unplace } from '../travel/rules.ts'
import { Contest, MATCHES, OTHER_SIDE, STAKES, type Stake } from './columns.ts'

const stakeKey = (view: WorldView, ship: Eid): string =>
  String(view.read(Player).seq[view.read(Ship).owner[ship]])

/** What a ship is like now. */
export function stakeOf(view: WorldView, ship: Eid): Stake {
  const own = view.read(Ship)
  const { aggressiveUntil, graceUntil, lastBattle, cloakReadyTick } = view.read(Fighting)
  const module = view.read(Module)
  const buff = view.read(Buff)
  return {
    hull: own.hull[ship],
    shield: own.shield[ship],
    fuel: own.fuel[ship],
    issueFuel: own.issueFuel[ship],
    crewFit: own.crewFit[ship],
    crewInjured: own.crewInjured[ship],
    marinesFit: own.marinesFit[ship],
    marinesInjured: own.marinesInjured[ship],
    modules: modulesOf(view, ship).map((row) => [
      module.number[row],
      module.ammo[row],
      module.ammoType[row],
      module.cooldown[row],
    ]),
    cargo: contentsOf(view, own.hold[ship]).map(({ item, units }) => [item, units]),
    buffs: buffsOf(view, ship).map((row) => [buff.item[row], buff.expireTick[row]]),
    aggressiveUntil: aggressiveUntil[ship],
    graceUntil: graceUntil[ship],
    lastBattle: lastBattle[ship],
    cloakReadyTick: cloakReadyTick[ship],
    cloaked: view.read(Player).cloaked[own.owner[ship]] === 1,
  }
}

/** Puts a player's ship into the ring. */
export function enterRing(world: World, battle: Row, ship: Eid, side: number): Row {
  world.records(STAKES).set(stakeKey(world, ship), stakeOf(world, ship))
  setCloak(world, world.read(Ship).owner[ship], false)
  stepAside(world, ship)
  world.write(Contest).match[ship] = battle
  const row = joinBattle(world, battle, ship, side)
  // ours: a hull that could be taken would be no match without consequences
  world.write(Boarding).capable[row] = 0
  return row
}

/** Makes a ship of the house, in the ring. */
export function sendFighter(world: World, battle: Row, poi: Eid, enemy: Enemy): Row {
  const index = fighterIndex(enemy.npc)
  assert(index >= 0, `there is no fighter ${enemy.npc}`)
  const shipClass = shipClassIndex(FIGHTERS[index].shipClass)
  const ship = createShip(world, { owner: 0, shipClass, modules: [], issue: true })
  const contest = world.write(Contest)
  contest.match[ship] = battle
  contest.fighter[ship] = index + 1
  contest.flees[ship] = enemy.flees ? 1 : 0
  world.setText(Ship, 'name', ship, FIGHTERS[index].name)
  recompute(world, ship)
  const { hull, hullMax, shield, shieldMax } = world.write(Ship)
  hull[ship] = hullMax[ship]
  shield[ship] = shieldMax[ship]
  trackShield(world, ship)
  place(world, ship, poi)
  return joinBattle(world, battle, ship, OTHER_SIDE)
}

/**
 * A ship is out of its match, and in no battle any more: a player's is as it was before, one of the
 * house is gone. Nothing for ships that were in no match.
 */
export function leaveRing(world: World, ship: Eid, reason: LeaveReason): void {
  const contest = world.write(Contest)
  const battle = contest.match[ship]
  if (battle === 0) return
  const isRunaway = contest.flees[ship] === 1 && reason === 'fled'
  if (isRunaway) noteEscape(world, battle)
  if (contest.fighter[ship] !== 0) {
    unplace(world, ship)
    releaseShip(world, ship)
    return
  }
  contest.match[ship] = 0
  stepBack(world, ship)
  giveBack(world, ship)
}

function noteEscape(world: World, battle: Row): void {
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
    if (until >= world.tick) restoreBuff(world, ship, item, until)
  }
  giveBackPeople(world, ship, stake)
  giveBackGoods(world, ship, stake)
  recompute(world, ship)
  const own = world.write(Ship)
  own.hull[ship] = Math.min(stake.hull, own.hullMax[ship])
  own.shield[ship] = Math.min(stake.shield, own.shieldMax[ship])
  own.fuel[ship] = Math.min(stake.fuel, own.fuelMax[ship])
  own.issueFuel[ship] = Math.min(stake.issueFuel, own.fuel[ship])
  const fighting = world.write(Fighting)
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
