/**
 * The figures that a participant fights with: those of its modules and its pilot's skills, or of
 * its kind of NPC. They are frozen when it joins, and again when its buffs change. Also the
 * magazines of weapons, and the table of ammunition.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, isModule } from '../../core/catalog/index.ts'
import type { ItemRow, ModuleRow, NpcGun } from '../../core/catalog/types.ts'
import { contentsOf, namedContainer } from '../../core/goods.ts'
import { addPercent } from '../../core/math.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { buffOf } from '../consumable/model.ts'
import { modulesOf, moduleTypeOf, shipClassOf, unloadCargo } from '../ship/model.ts'
import { Module, Ship } from '../ship/state.ts'
import { levelOf } from '../skill/model.ts'
import { WEB_MAX_PCT } from './damage-kernels.ts'
import { npcFiguresOf } from './model.ts'
import { Ammo, COMBAT_SPECIALS, DAMAGE_TYPES, GUNS_MAX, Participant, ShipCombat } from './state.ts'

interface Fitted {
  readonly module: Row
  readonly type: ModuleRow
}

/** One weapon as the kernels see it. */
interface Gun {
  readonly module: Row
  readonly damage: number
  readonly type: number
  readonly reach: number
  readonly period: number
  readonly magazine: number
  readonly accuracy: number
  readonly shieldBypass: number
  readonly armorBypass: number
}

/** Numeric fields of a module, which add up over a fit. */
type Additive = {
  [K in keyof ModuleRow]-?: NonNullable<ModuleRow[K]> extends number ? K : never
}[keyof ModuleRow]

const isWeapon = ({ type }: Fitted): boolean => type.slot === 'weapon' && (type.damage ?? 0) > 0

const U8_MAX = 0xff
const U16_MAX = 0xffff

const CRIT_PERMILLE = 20
const CRIT_PERMILLE_PER_LEVEL = 2

/** Limit of a bucket of reductions. Source: spec, Battle rules. */
const BUCKET_MAX_PCT = 75

/** Returns what a bucket of reductions takes off by the sum of its entries, %; never below 0. */
const bucketPct = (sumPct: number): number => Math.max(0, Math.min(BUCKET_MAX_PCT, sumPct))

/**
 * Fills the frozen figures of a participant. A ship of the server fires the guns of its kind,
 * whatever is fitted to its hull. Source: combat.md sections 4, 6, 8, 9; missions.md section 5.
 */
export function freezeFit(world: World, row: Row): void {
  const ship = world.read(Participant).ship[row]
  assert(
    world.read(Participant).alive[row] === 1 && ship !== 0,
    'a fit is frozen without a participant',
  )
  const fit = modulesOf(world, ship).map((module) => ({
    module,
    type: moduleTypeOf(world, module),
  }))
  const npc = npcFiguresOf(world, ship)
  freezeSkills(world, row)
  freezeModules(world, row, fit)
  freezeGuns(world, row, npc ? npc.guns.map(gunOfNpc) : gunsOf(world, row, fit))
}

/** Freezes the figures of a ship in a battle again, as its buffs have changed. */
export function refreshFit(world: World, ship: Row): void {
  const row = world.read(ShipCombat).participant[ship]
  if (row !== 0) freezeFit(world, row)
}

/** Freezes the pilot's figures; all 0 for a ship without a pilot. */
function freezeSkills(world: World, row: Row): void {
  const part = world.write(Participant)
  const ship = part.ship[row]
  const level = (skill: string): number => levelOf(world, world.read(Ship).owner[ship], skill)
  part.speed[row] = world.read(Ship).speed[ship]
  part.accuracyPct[row] = level('solarian_doctrine') + buffOf(world, ship, 'accuracy')
  part.offensePct[row] = buffOf(world, ship, 'damage')
  part.defensePct[row] = bucketPct(buffOf(world, ship, 'defense'))
  part.tacticsPct[row] = level('tactics')
  part.weaponSkillPct[row] = level('weapons') + level('gunnery')
  part.woundedPct[row] = level('crimson_oath')
  part.armorBypassPct[row] = level('crimson_oath')
  part.energyPct[row] = level('voidborn_mastery')
  part.critPermille[row] = CRIT_PERMILLE + CRIT_PERMILLE_PER_LEVEL * level('weapons')
  part.shieldSkillPct[row] = bucketPct(level('shields'))
}

/** Returns an inherent capability of a hull. */
const capabilityOf = (view: WorldView, ship: Row, type: string): number =>
  shipClassOf(view, ship).inherent_capabilities.reduce(
    (sum, row) => sum + (row.type === type ? row.value : 0),
    0,
  )

function freezeModules(world: World, row: Row, fit: readonly Fitted[]): void {
  const part = world.write(Participant)
  const sum = (field: Additive): number =>
    fit.reduce((total, { type }) => total + (type[field] ?? 0), 0)
  const atMostU8 = (value: number): number => Math.min(U8_MAX, value)
  const others = fit.filter((fitted) => !isWeapon(fitted)).map(({ type }) => type)
  for (const type of others) {
    part.accuracyPct[row] += (type.accuracy_bonus ?? 0) + (type.tracking_bonus ?? 0)
  }
  for (const [index, type] of DAMAGE_TYPES.entries()) {
    const bonus = fit.reduce(
      (total, fitted) => total + (fitted.type.resistance_bonus?.[type] ?? 0),
      0,
    )
    part.resistPct[row * DAMAGE_TYPES.length + index] = bucketPct(bonus)
  }
  part.flatPct[row] = bucketPct(sum('damage_reduction') + sum('adaptive_resistance'))
  part.capitalPct[row] = atMostU8(capabilityOf(world, part.ship[row], 'capital_weapon_bonus'))
  part.repairPower[row] = Math.min(U16_MAX, sum('armor_repair_rate'))
  part.remotePower[row] = Math.min(U16_MAX, sum('remote_repair_power'))
  part.disruptPoints[row] = atMostU8(sum('disruptor_power'))
  part.scramblePoints[row] = atMostU8(sum('scramble_power'))
  part.stabilizers[row] = atMostU8(sum('warp_stabilization'))
  part.webPct[row] = Math.min(WEB_MAX_PCT, sum('webify_strength'))
  part.webifiers[row] = fit.filter(({ type }) => (type.webify_strength ?? 0) > 0).length
  part.specials[row] = COMBAT_SPECIALS.reduce(
    (bits, special, index) =>
      fit.some(({ type }) => type.special === special) ? bits | (1 << index) : bits,
    0,
  )
}

/** Returns the weapons by damage type, of one type in the order of fitting. */
function gunsOf(view: WorldView, row: Row, fit: readonly Fitted[]): Gun[] {
  const bonus = capabilityOf(view, view.read(Participant).ship[row], 'weapon_damage_bonus')
  return fit
    .filter(isWeapon)
    .map(({ module, type }) => ({
      module,
      damage: addPercent(type.damage ?? 0, bonus),
      type: DAMAGE_TYPES.indexOf(type.damage_type ?? 'kinetic'),
      reach: type.reach ?? 0,
      period: type.cooldown ?? 1,
      magazine: type.magazine_size ?? 0,
      accuracy: (type.accuracy_bonus ?? 0) + (type.tracking_bonus ?? 0),
      shieldBypass: type.shield_bypass_bonus ?? 0,
      armorBypass: type.armor_bypass_bonus ?? 0,
    }))
    .sort((a, b) => a.type - b.type)
}

function gunOfNpc({ damage, damageType, reach, period }: NpcGun): Gun {
  const type = DAMAGE_TYPES.indexOf(damageType)
  const plain = { module: 0, magazine: 0, accuracy: 0, shieldBypass: 0, armorBypass: 0 }
  return { ...plain, damage, type, reach, period }
}

function freezeGuns(world: World, row: Row, guns: readonly Gun[]): void {
  assert(guns.length <= GUNS_MAX, 'a ship has more weapons than a participant holds')
  const part = world.write(Participant)
  part.guns[row] = guns.length
  for (const [i, gun] of guns.entries()) {
    const slot = row * GUNS_MAX + i
    assert(gun.period >= 1 && gun.type >= 0, 'a weapon has no period or no type')
    part.gunModule[slot] = gun.module
    part.gunDamage[slot] = Math.min(U16_MAX, gun.damage)
    part.gunType[slot] = gun.type
    part.gunReach[slot] = gun.reach
    part.gunPeriod[slot] = gun.period
    part.gunMagazine[slot] = gun.magazine
    part.gunAccuracyPct[slot] = gun.accuracy
    part.gunShieldBypassPct[slot] = gun.shieldBypass
    part.gunArmorBypassPct[slot] = gun.armorBypass
    const bit = 1 << i
    if (gun.period > 1) part.gunsSlow[row] |= bit
    if (gun.magazine > 0) part.gunsFed[row] |= bit
    if (gun.shieldBypass + gun.armorBypass > 0) part.gunsPiercing[row] |= bit
  }
}

/** Fills the table of ammunition from the catalogue, after a start or a restore. */
export function loadAmmo(world: World): void {
  const ammo = world.write(Ammo)
  for (const [good, row] of GOODS.entries()) {
    const stats = isModule(row) ? undefined : (row as ItemRow).effect?.ammo
    if (stats === undefined) continue
    const load = good + 1
    const change = (pct: number | undefined): number => (pct ?? 100) - 100
    ammo.damagePct[load] = change(stats.damage_mod)
    ammo.hitPct[load] = stats.hit_chance_mod ?? 0
    ammo.shieldPct[load] = change(stats.shield_damage_mod)
    ammo.hullPct[load] = change(stats.hull_damage_mod)
    ammo.shieldBypassPct[load] = stats.shield_bypass ?? 0
    ammo.armorBypassPct[load] = stats.armor_bypass ?? 0
    ammo.antiLargePct[load] = stats.anti_large_mod ?? 0
    ammo.antiSmallPct[load] = stats.anti_small_mod ?? 0
    ammo.antiDronePct[load] = stats.anti_drone_mod ?? 0
    ammo.burnPct[load] = stats.dot_pct ?? 0
    ammo.burnTicks[load] = stats.dot_ticks ?? 0
    ammo.splashPct[load] = stats.splash_pct ?? 0
    ammo.meltPct[load] = stats.armor_melt_pct ?? 0
    ammo.meltTicks[load] = stats.armor_melt_ticks ?? 0
    ammo.disruptTicks[load] = stats.disrupt_ticks ?? 0
    const { damage_mod, hit_chance_mod, ...more } = stats
    ammo.special[load] = Object.keys(more).length > 0 ? 1 : 0
  }
}

/* Magazines */

/** Returns whether a weapon fires any good of the hold. */
export const takesAnything = (weapon: ModuleRow): boolean => weapon.special === 'ammo_from_cargo'

/** Returns whether a good is ammunition for a weapon; for some weapons every good is. */
export function suitsWeapon(weapon: ModuleRow, item: number): boolean {
  if (takesAnything(weapon)) return true
  const good = GOODS[item]
  if (isModule(good)) return false
  const { effect } = good as ItemRow
  return effect?.type === 'ammo' && effect.subtype === weapon.ammo_type
}

/** Returns whether a good may be used up as ammunition, which quest items may not. */
export const mayBeFired = (item: number): boolean => GOODS[item].quest_item !== true

/**
 * Returns the good to load if none is named: what is loaded already, if more of it is aboard, else
 * the cheapest good aboard that suits the weapon; -1 if none does. ours: a pilot who names none
 * wants more of the same.
 */
export function defaultAmmo(view: WorldView, ship: Eid, module: Row): number {
  const weapon = moduleTypeOf(view, module)
  const loaded = view.read(Module).ammoType[module] - 1
  const held = contentsOf(view, view.read(Ship).hold[ship])
  const suitable = held
    .map(({ item }) => item)
    .filter((item) => mayBeFired(item) && suitsWeapon(weapon, item))
  if (suitable.includes(loaded)) return loaded
  suitable.sort((a, b) => GOODS[a].base_value - GOODS[b].base_value || a - b)
  return suitable[0] ?? -1
}

/** Takes one item of ammunition out of the ship's hold and fills a magazine with it. */
export function fillMagazine(world: World, ship: Eid, module: Row, item: number): void {
  const { ammo, ammoType } = world.write(Module)
  unloadCargo(world, ship, namedContainer('consumption'), item, 1)
  ammo[module] = moduleTypeOf(world, module).magazine_size ?? 0
  ammoType[module] = item + 1
}

/**
 * Loads a weapon that was just fitted, if ammunition for it is aboard; one that throws anything
 * stays empty. Source: ships.md section 3.
 */
export function loadFitted(world: World, ship: Eid, module: Row): void {
  const weapon = moduleTypeOf(world, module)
  if (weapon.ammo_type === undefined || takesAnything(weapon)) return
  const item = defaultAmmo(world, ship, module)
  if (item >= 0) fillMagazine(world, ship, module, item)
}
