/** What NPCs do in a tick: attack, fight, and decide what to do next. */
import { assert } from '../../core/assert.ts'
import { empireNpcIndex } from '../../core/catalog/index.ts'
import { GOODS_WRITES } from '../../core/goods.ts'
import type { CheckDef } from '../../core/registry.ts'
import { drawBelow, hash32, hashText } from '../../core/rng.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { BattleBoarding, Boarding } from '../boarding/state.ts'
import { BATTLE_WRITES, scheduleEngagement } from '../combat/battles-rules.ts'
import { areHostile, battleIn, participantsOf } from '../combat/model.ts'
import { PARTICIPANT_KINDS, Participant, ShipCombat } from '../combat/state.ts'
import { BUFF_WRITES } from '../consumable/rules.ts'
import { CHARGE_WRITES } from '../law/crimes-rules.ts'
import { SHIP_WRITES } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { Siege, StationHull } from '../siege/state.ts'
import { poisOf } from '../travel/model.ts'
import { PLACE_WRITES } from '../travel/rules.ts'
import { AT_POI, Course, Location, Poi, StarSystem } from '../travel/state.ts'
import { EMPIRE_SHIP, npcsOf, PIRATE } from './model.ts'
import { answerCall, DECISION_TICKS, decidePirates, mend, strike } from './patrol-systems.ts'
import { flyTo, scheduleDecision } from './rules.ts'
import { clearDue, dueNpcs } from './spawn-systems.ts'
import { Npc, NpcPilot, Outlaw, SystemNpcs } from './state.ts'
import { commandNpcs } from './tactics-systems.ts'

/* Invariants of NPCs. */

/** Checks every NPC, with a few reads each. */
export const npcsFly: CheckDef = {
  name: 'NPCs: each flies one ship without an owner, in its home system',
  run(view, full) {
    if (!full) return
    const row = view.read(Npc)
    const { owner, alive } = view.read(Ship)
    const { npc: pilot } = view.read(NpcPilot)
    const { system } = view.read(Location)
    for (let home = 1; home <= view.highOf(StarSystem); home++) {
      for (const npc of npcsOf(view, home)) {
        const ship = row.ship[npc]
        if (alive[ship] === 0 || pilot[ship] !== npc) assert(false, `NPC ${npc} flies no ship`)
        if (owner[ship] !== 0) assert(false, `NPC ${npc} flies the ship of a player`)
        if (system[ship] !== home) assert(false, `NPC ${npc} is away from home`)
      }
    }
  },
}

/** Carries out the attacks decided earlier, after those of the players. */
export const engage: SystemDef = {
  name: 'npc.engage',
  phase: 'engage',
  writes: [
    ...SHIP_WRITES,
    ...PLACE_WRITES,
    ...BATTLE_WRITES,
    ...CHARGE_WRITES,
    Npc,
    Outlaw,
    Siege,
    StationHull,
    SystemNpcs,
  ],
  run(world) {
    const { kind, call } = world.read(Npc)
    for (const npc of dueNpcs(world, true)) {
      if (kind[npc] !== PIRATE) continue
      if (call[npc] === 0) strike(world, npc)
      else answerCall(world, npc)
    }
  },
}

/** Gives orders to NPCs in battles; then lets the NPCs that are due make their decisions. */
export const decide: SystemDef = {
  name: 'npc.decide',
  phase: 'decide',
  writes: [
    ...GOODS_WRITES,
    ...SHIP_WRITES,
    ...BUFF_WRITES,
    BattleBoarding,
    Boarding,
    Course,
    Location,
    Npc,
    NpcPilot,
    Participant,
    Poi,
    ShipCombat,
    StarSystem,
    SystemNpcs,
  ],
  run(world) {
    commandNpcs(world)
    const { kind } = world.read(Npc)
    const due = dueNpcs(world, false)
    decidePirates(
      world,
      due.filter((npc) => kind[npc] === PIRATE),
    )
    decideEmpireShips(
      world,
      due.filter((npc) => kind[npc] === EMPIRE_SHIP),
    )
    clearDue(world)
  },
}

/*
 * What the ships of the empires do: patrols keep watch and help ships that pirates attack, traders
 * fly from place to place, customs ships wait where ships arrive. ours: the sheets name these roles
 * and leave the rest open.
 */

const PATROL = empireNpcIndex('patrol')
const TRADER = empireNpcIndex('trader')
const TRIP_SEED = hashText('npc.empire_way')
/** A trader or a patrol moves to another place on average once in this many decisions. */
const DECISIONS_PER_TRIP: Readonly<Record<number, number>> = { [PATROL]: 12, [TRADER]: 4 }

/** Lists the places that traders and patrols visit. */
function stopsIn(view: WorldView, system: Eid): readonly Eid[] {
  const { hidden, class: kind } = view.read(Poi)
  return poisOf(view, system).filter(
    (poi) => hidden[poi] === 0 && view.texts.get(kind[poi]) !== 'arena',
  )
}

/**
 * Returns the side of a battle that a patrol may help without making other enemies: one that has no
 * pirates itself and fights nobody but pirates. 0 if there is none.
 */
function sideToHelp(view: WorldView, battle: Row): number {
  const { kind, side } = view.read(Participant)
  const rows = participantsOf(view, battle)
  const isPirate = (row: Row): boolean => PARTICIPANT_KINDS[kind[row]] === 'pirate'
  const sides = [...new Set(rows.map((row) => side[row]))].sort((a, b) => a - b)
  return (
    sides.find((own) => {
      const foes = rows.filter((row) => areHostile(view, battle, own, side[row]))
      const hasPirates = rows.some((row) => side[row] === own && isPirate(row))
      return foes.length > 0 && foes.every(isPirate) && !hasPirates
    }) ?? 0
  )
}

/**
 * Makes a patrol join the defence against pirates in its system; returns false if none needs it.
 */
function joinDefence(world: World, npc: Row): boolean {
  const { ship, system } = world.read(Npc)
  const battle = battleIn(world, system[npc])
  if (battle === 0) return false
  const side = sideToHelp(world, battle)
  if (side === 0) return false
  scheduleEngagement(world, ship[npc], battle, side)
  return true
}

/** Lets the ships of the empires that are due decide: repair, help, or move on. */
function decideEmpireShips(world: World, npcs: readonly Row[]): void {
  const { ship, system, type, thinkTick } = world.read(Npc)
  const { state, poi } = world.read(Location)
  const { hull, hullMax, seq } = world.read(Ship)
  for (const npc of npcs) {
    if (thinkTick[npc] !== world.tick) continue
    const own = ship[npc]
    scheduleDecision(world, npc, world.tick + DECISION_TICKS)
    if (state[own] !== AT_POI || world.read(ShipCombat).participant[own] !== 0) continue
    if (hull[own] < hullMax[own]) mend(world, own)
    if (type[npc] === PATROL && joinDefence(world, npc)) continue
    const decisions = DECISIONS_PER_TRIP[type[npc]]
    if (decisions === undefined) continue
    const random = hash32(world.seed, world.tick, TRIP_SEED, seq[own])
    if (drawBelow(decisions, random) !== 0) continue
    const others = stopsIn(world, system[npc]).filter((stop) => stop !== poi[own])
    if (others.length === 0) continue
    const ticks = flyTo(world, own, others[random % others.length])
    scheduleDecision(world, npc, world.tick + ticks + DECISION_TICKS)
  }
}
