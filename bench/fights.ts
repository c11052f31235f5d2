/** Battles for the combat benchmark: a world of fighting ships only, and its parallel section. */
import { moduleUrl } from '../core/module-url.ts'
import { createParallel, type ParallelSection } from '../core/parallel.ts'
import { hash32 } from '../core/rng.ts'
import type { SystemDef } from '../core/system.ts'
import type { World } from '../core/types.ts'
import { createWorld } from '../core/world.ts'
import { Boarding, Link } from '../systems/boarding/state.ts'
import {
  Ammo,
  Attack,
  Battle,
  DAMAGE_TYPES,
  GUNS_MAX,
  PARTICIPANT_KINDS,
  Participant,
  ShipCombat,
  SIDES_WIDTH,
  Turn,
} from '../systems/combat/state.ts'
import { firing, maneuvering, mending } from '../systems/combat/systems.ts'
import { Module, Ship } from '../systems/ship/state.ts'

const SEED = 1
const SYSTEMS = [maneuvering, firing, mending]
/** Enough that no ship is destroyed, so that every tick takes as long as the first. */
const POINTS = 10_000_000
const GUNS = 4
const ROUNDS = 60_000
/** Rows of Ammo: plain rounds, and rounds that pierce armour and burn. */
const PLAIN = 1
const SPECIAL = 2
const PLAYER = PARTICIPANT_KINDS.indexOf('player')
const PIRATE = PARTICIPANT_KINDS.indexOf('pirate')
/** Key for the random choice of targets. */
const TARGET = 30
const KINETIC = DAMAGE_TYPES.indexOf('kinetic')
const ENERGY = DAMAGE_TYPES.indexOf('energy')
const EM = DAMAGE_TYPES.indexOf('em')

export const participantsOf = (world: World): number => world.countOf(Participant)

/** Creates battles of `each` ships between two sides, one battle per system. */
export function fightsOf(battles: number, each: number): World {
  const world = createWorld({
    players: Ship,
    tables: [Ship, Module, Battle, Participant, ShipCombat, Boarding, Link, Turn, Attack, Ammo],
    records: [],
    sections: new Map(),
    seed: SEED,
    tickMs: 10_000,
    maxEntities: Math.max(1_000, 5 * battles * each),
  })
  loadAmmo(world)
  for (let i = 1; i <= battles; i++) openBattle(world, i, each)
  return world
}

function loadAmmo(world: World): void {
  const ammo = world.write(Ammo)
  ammo.armorBypassPct[SPECIAL] = 40
  ammo.damagePct[SPECIAL] = -5
  ammo.burnPct[SPECIAL] = 10
  ammo.burnTicks[SPECIAL] = 3
  ammo.special[SPECIAL] = 1
}

function openBattle(world: World, system: number, each: number): void {
  const battle = world.take(Battle)
  const columns = world.write(Battle)
  columns.system[battle] = system
  columns.sides[battle] = 2
  columns.hostile[battle * SIDES_WIDTH + 1] = 2
  columns.hostile[battle * SIDES_WIDTH + 2] = 1
  const { next, previous } = world.write(Participant)
  for (let i = 0; i < each; i++) {
    const row = join(world, battle, i)
    if (columns.last[battle] === 0) columns.first[battle] = row
    else {
      next[columns.last[battle]] = row
      previous[row] = columns.last[battle]
    }
    columns.last[battle] = row
    columns.count[battle]++
  }
  takeAim(world, battle, each)
}

/** Gives every second ship a target; the others fire at the nearest enemy. */
function takeAim(world: World, battle: number, each: number): void {
  const { target } = world.write(Participant)
  const first = world.read(Battle).first[battle]
  for (let i = 0; i < each; i++) {
    const enemy = 2 * (hash32(SEED, first + i, TARGET) % (each / 2)) + ((i + 1) % 2)
    if (i % 4 < 2) target[first + i] = first + enemy
  }
}

/** Adds a ship with all values that the damage pipeline reads, to each side in turn. */
function join(world: World, battle: number, i: number): number {
  const ship = world.take(Ship)
  const row = world.take(Participant)
  const draw = (k: number, bound: number): number => hash32(SEED, ship, k) % bound
  const hull = world.write(Ship)
  hull.hull[ship] = POINTS - draw(0, 1000)
  hull.hullMax[ship] = POINTS
  hull.shield[ship] = draw(1, 2) * POINTS
  hull.shieldMax[ship] = POINTS
  hull.shieldRegen[ship] = 5
  hull.armor[ship] = 5 + draw(2, 20)
  hull.scale[ship] = 1 + draw(3, 5)
  hull.crewEffPct[ship] = draw(4, 8) === 0 ? 90 : 100
  const part = world.write(Participant)
  part.battle[row] = battle
  part.ship[row] = ship
  part.seq[row] = ship
  part.side[row] = 1 + (i % 2)
  part.kind[row] = i % 2 === 0 ? PLAYER : PIRATE
  part.ring[row] = draw(5, 4)
  part.speed[row] = 2 + draw(6, 4)
  part.tacticsPct[row] = draw(7, 40)
  part.accuracyPct[row] = draw(8, 15)
  part.weaponSkillPct[row] = draw(9, 60)
  part.critPermille[row] = 20 + draw(10, 100)
  part.offensePct[row] = draw(11, 10)
  part.defensePct[row] = draw(12, 10)
  part.shieldSkillPct[row] = draw(13, 40)
  part.resistPct.fill(10 + draw(14, 65), row * 6, (row + 1) * 6)
  part.flatPct[row] = draw(15, 20)
  part.repairPower[row] = draw(16, 3) === 0 ? 3 : 0
  part.disruptPoints[row] = draw(17, 8) === 0 ? 1 : 0
  part.webPct[row] = draw(18, 8) === 0 ? 40 : 0
  arm(world, row, draw(19, 4) === 0 ? SPECIAL : PLAIN, draw(20, 8) === 0 ? EM : ENERGY)
  return row
}

/**
 * Arms a ship with two weapons that take ammunition and two that do not; all fire in every tick, at
 * any distance.
 */
function arm(world: World, row: number, rounds: number, type: number): void {
  const part = world.write(Participant)
  part.guns[row] = GUNS
  for (let gun = 0; gun < GUNS; gun++) {
    const at = row * GUNS_MAX + gun
    const hasRounds = gun < 2
    part.gunDamage[at] = 20 + 7 * gun
    part.gunType[at] = hasRounds ? KINETIC : type
    part.gunReach[at] = 6
    part.gunPeriod[at] = 1
    part.gunAccuracyPct[at] = hasRounds ? 0 : 3
    if (!hasRounds) continue
    const module = world.take(Module)
    world.write(Module).ammo[module] = ROUNDS
    world.write(Module).ammoType[module] = rounds
    part.gunModule[at] = module
    part.gunMagazine[at] = ROUNDS
    part.gunsFed[row] |= 1 << gun
  }
}

interface Fight {
  /** Runs one tick of all battles; returns the time in milliseconds. */
  tick(): Promise<number>
  /** The times of all ticks by system. */
  readonly systemMs: Readonly<Record<string, number[]>>
  close(): Promise<void>
}

/**
 * Creates the parallel section with the three systems of combat. May be called only once per
 * process, so that V8 treats the columns as constants.
 */
export async function fightSection(world: World, workers: number): Promise<Fight> {
  const section: ParallelSection = await createParallel({
    layout: world.layout,
    buffer: world.buffer,
    columns: world.kernelColumns,
    systems: SYSTEMS,
    workers,
    threadFile: moduleUrl(import.meta.url, '../kernel-thread').href,
    breakEvenNs: 0,
  })
  const systemMs: Record<string, number[]> = Object.fromEntries(
    SYSTEMS.map(({ name }: SystemDef) => [name, []]),
  )
  return {
    systemMs,
    async tick() {
      world.tick++
      const since = performance.now()
      for (const system of SYSTEMS) {
        const from = performance.now()
        section.run(world, system)
        systemMs[system.name].push(performance.now() - from)
      }
      const taken = performance.now() - since
      section.endTick()
      await section.settled()
      return taken
    },
    close: () => section.close(),
  }
}

/** Returns a hash of everything that the battles have changed. */
export function hashOfFights(world: World): string {
  const { shield, hull } = world.read(Ship)
  const { dealt, taken, ring, ship } = world.read(Participant)
  const { final, attacker } = world.read(Attack)
  const { firstAttack, attackCount } = world.read(Battle)
  let hash = 0
  for (let row = 1; row <= world.highOf(Participant); row++) {
    hash = hash32(hash, hull[ship[row]], shield[ship[row]], dealt[row], taken[row] + ring[row])
  }
  for (let battle = 1; battle <= world.highOf(Battle); battle++) {
    for (let i = 0; i < attackCount[battle]; i++) {
      hash = hash32(hash, attacker[firstAttack[battle] + i], final[firstAttack[battle] + i])
    }
  }
  return hash.toString(16)
}
