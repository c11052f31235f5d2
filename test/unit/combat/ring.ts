/**
 * A world with only the tables of combat, and the kernels of combat run on it: the kernels read
 * exactly the figures that a test gives a ship.
 */
import type { Row, World } from '../../../core/types.ts'
import { createWorld } from '../../../core/world.ts'
import { BattleBoarding, Boarding, Link } from '../../../systems/boarding/state.ts'
import { fire, maneuver, mend } from '../../../systems/combat/kernels.ts'
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
  STANCES,
  Turn,
} from '../../../systems/combat/state.ts'
import { Module, Ship } from '../../../systems/ship/state.ts'

type DamageType = (typeof DAMAGE_TYPES)[number]
type Stance = (typeof STANCES)[number]

export interface GunFigures {
  readonly damage?: number
  readonly type?: DamageType
  readonly reach?: number
  readonly period?: number
  readonly accuracy?: number
  readonly shieldBypass?: number
  readonly armorBypass?: number
  /** Row of Ammo that is loaded; with it the weapon has a magazine. */
  readonly load?: number
  readonly rounds?: number
}

/** Columns of Ship and Participant by name; others are 0, or those of a plain ship. */
export interface ShipFigures {
  readonly seq?: number
  readonly side?: number
  readonly kind?: (typeof PARTICIPANT_KINDS)[number]
  readonly stance?: Stance
  readonly ring?: number
  readonly ship?: Partial<Record<keyof typeof Ship.columns, number>>
  readonly figures?: Partial<Record<keyof typeof Participant.columns, number>>
  readonly resist?: Partial<Record<DamageType, number>>
  readonly guns?: readonly GunFigures[]
}

export interface Ring {
  readonly world: World
  readonly battle: Row
  /** Puts a ship into the battle; ships join in order of their seq. */
  join(figures?: ShipFigures): Row
  /** Sets columns of Ammo for a row that weapons name as their load. */
  load(row: number, columns: Partial<Record<keyof typeof Ammo.columns, number>>): void
  maneuver(): void
  fire(): void
  mend(): void
  /** Runs a whole tick of fighting. */
  tick(): void
  /** Returns the rows of Attack of the tick. */
  attacks(): Row[]
  hull(row: Row): number
  shield(row: Row): number
}

const PLAIN = {
  hull: 1_000,
  hullMax: 1_000,
  crewFit: 1,
  crewEffPct: 100,
  scale: 3,
  fuel: 100,
  fuelMax: 100,
}
const REACH = 6

/** Makes a battle of two sides, hostile to each other, in tick 1. */
export function ringOf(options: { seed?: number; rows?: number } = {}): Ring {
  const world = createWorld({
    players: Ship,
    tables: [
      Ship,
      Module,
      Battle,
      Participant,
      ShipCombat,
      Boarding,
      BattleBoarding,
      Link,
      Turn,
      Attack,
      Ammo,
    ],
    records: [],
    sections: new Map(),
    seed: options.seed ?? 1,
    tickMs: 10_000,
    maxEntities: options.rows ?? 100,
  })
  world.tick = 1
  const battle = world.take(Battle)
  const { sides, hostile, system } = world.write(Battle)
  system[battle] = 1
  sides[battle] = 2
  hostile[battle * SIDES_WIDTH + 1] = 2
  hostile[battle * SIDES_WIDTH + 2] = 1
  const env = () => ({ seed: world.seed, tick: world.tick })
  const rows = Uint32Array.of(battle)
  const runs = {
    maneuver: maneuver(world.kernelColumns),
    fire: fire(world.kernelColumns),
    mend: mend(world.kernelColumns),
  }
  const ring: Ring = {
    world,
    battle,
    join: (figures = {}) => join(world, battle, figures),
    load(row, columns) {
      const ammo = world.write(Ammo)
      for (const [name, value] of Object.entries(columns)) {
        ammo[name as keyof typeof Ammo.columns][row] = value ?? 0
      }
    },
    maneuver: () => runs.maneuver(rows, 0, 1, env()),
    fire() {
      world.write(Battle).firstAttack[battle] = 1
      runs.fire(rows, 0, 1, env())
    },
    mend: () => runs.mend(rows, 0, 1, env()),
    tick() {
      world.tick++
      ring.maneuver()
      ring.fire()
      ring.mend()
    },
    attacks() {
      const { firstAttack, attackCount } = world.read(Battle)
      return Array.from({ length: attackCount[battle] }, (_, i) => firstAttack[battle] + i)
    },
    hull: (row) => world.read(Ship).hull[world.read(Participant).ship[row]],
    shield: (row) => world.read(Ship).shield[world.read(Participant).ship[row]],
  }
  return ring
}

function join(world: World, battle: Row, figures: ShipFigures): Row {
  const ship = world.take(Ship)
  const hull = world.write(Ship)
  for (const [name, value] of Object.entries({ ...PLAIN, ...figures.ship })) {
    hull[name as keyof typeof Ship.columns][ship] = value ?? 0
  }
  const row = world.take(Participant)
  const part = world.write(Participant)
  part.battle[row] = battle
  part.ship[row] = ship
  part.seq[row] = figures.seq ?? hull.seq[ship]
  part.side[row] = figures.side ?? 1
  part.kind[row] = PARTICIPANT_KINDS.indexOf(figures.kind ?? 'player')
  part.ring[row] = figures.ring ?? 0
  part.stance[row] = STANCES.indexOf(figures.stance ?? 'fire')
  // A fresh order keeps the autopilot off, so that the stance of the test holds.
  part.orderTick[row] = world.tick
  for (const [name, value] of Object.entries(figures.figures ?? {})) {
    part[name as keyof typeof Participant.columns][row] = value ?? 0
  }
  for (const [type, pct] of Object.entries(figures.resist ?? {})) {
    part.resistPct[row * DAMAGE_TYPES.length + DAMAGE_TYPES.indexOf(type as DamageType)] = pct
  }
  world.write(ShipCombat).participant[ship] = row
  for (const [gun, weapon] of (figures.guns ?? []).entries()) arm(world, row, gun, weapon)
  append(world, battle, row)
  return row
}

function arm(world: World, row: Row, gun: number, weapon: GunFigures): void {
  const part = world.write(Participant)
  const slot = row * GUNS_MAX + gun
  part.guns[row] = gun + 1
  part.gunDamage[slot] = weapon.damage ?? 100
  part.gunType[slot] = DAMAGE_TYPES.indexOf(weapon.type ?? 'kinetic')
  part.gunReach[slot] = weapon.reach ?? REACH
  part.gunPeriod[slot] = weapon.period ?? 1
  part.gunAccuracyPct[slot] = weapon.accuracy ?? 0
  part.gunShieldBypassPct[slot] = weapon.shieldBypass ?? 0
  part.gunArmorBypassPct[slot] = weapon.armorBypass ?? 0
  if ((weapon.period ?? 1) > 1) part.gunsSlow[row] |= 1 << gun
  if ((weapon.shieldBypass ?? 0) + (weapon.armorBypass ?? 0) > 0) part.gunsPiercing[row] |= 1 << gun
  if (weapon.load === undefined) return
  const module = world.take(Module)
  const modules = world.write(Module)
  modules.ship[module] = part.ship[row]
  modules.ammo[module] = weapon.rounds ?? 100
  modules.ammoType[module] = weapon.load
  part.gunModule[slot] = module
  part.gunMagazine[slot] = 100
  part.gunsFed[row] |= 1 << gun
}

/** Inserts a participant behind the last one with a lower seq. */
function append(world: World, battle: Row, row: Row): void {
  const { first, last, count } = world.write(Battle)
  const { next, previous, seq } = world.write(Participant)
  let before = last[battle]
  while (before !== 0 && seq[before] > seq[row]) before = previous[before]
  const after = before === 0 ? first[battle] : next[before]
  previous[row] = before
  next[row] = after
  if (before === 0) first[battle] = row
  else next[before] = row
  if (after === 0) last[battle] = row
  else previous[after] = row
  count[battle]++
}
