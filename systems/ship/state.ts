/**
 * Ships: hull, tanks, hold, fit and the figures derived from them; fitted modules as one list per
 * ship. The place of a ship is in travel/state.ts.
 */
import {
  defineEntity,
  defineTable,
  f64,
  i16,
  i32,
  ref,
  text,
  u8,
  u16,
  u32,
} from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import { defineTag } from '../../core/query.ts'
import { defineRecords } from '../../core/records.ts'
import { relation } from '../../core/relation.ts'
import { Player } from '../account/state.ts'

export const Ship = defineEntity('ship', ROWS.ships, {
  owner: ref('player', 'player it belongs to; 0 for NPCs'),
  nextOwned: ref('ship', 'next in the list of its owner'),
  class: u16('index into SHIP_CLASSES', { catalog: 'shipClasses' }),
  name: text('given name; empty: the class name'),
  createdMs: f64('wall time of its making, ms since 1970'),
  issue: u8('1 for a hull given at a respawn: cannot become goods (ships.md 1)'),
  loadoutVersion: u8('version of the class loadout it was fitted to'),
  hold: ref('container', 'its cargo'),
  cargoUsed: i32('space taken in the hold'),
  hull: i32('points'),
  shield: i32('points'),
  fuel: i32('units in the tank'),
  issueFuel: i32('units of it that are issue fuel; burn first'),
  firstModule: ref('module', 'head of its list of fitted modules'),
  // Derived from class, fit, skills and personnel by ship/rules.ts recompute.
  hullMax: i32('points'),
  shieldMax: i32('points'),
  shieldRegen: i32('points a tick out of battle'),
  armor: i32('points'),
  speed: u8('AU a tick, 1-8'),
  baseSpeed: u8('AU a tick before crew efficiency'),
  scale: u8('1-5'),
  fuelMax: i32('units'),
  fuelEfficiencyPct: i16('sum of the modules, %; positive saves'),
  cargoCap: i32('space of the hold'),
  cpuUsed: u16('CPU units'),
  cpuCap: u16('CPU units'),
  powerUsed: u16('power units'),
  powerCap: u16('power units'),
  slotsUsed: u8('by slot: weapon, defense, utility', { width: 3 }),
  slotsCap: u8('by slot: weapon, defense, utility', { width: 3 }),
  minePower: u16('by family: mining, ice, gas', { width: 3 }),
  mineFine: u16('weighted precision ×1000 by family', { width: 3 }),
  yieldBonusPct: u16('hull and module yield bonus by family', { width: 3 }),
  compressionPct: u8('space a unit takes by family, %; 100 = full', { width: 3 }),
  filterMask: u8('rarity ranks an extraction filter excludes: bits'),
  deepCore: u8('1 with the deep-core access special'),
  scanPower: i32('scanner power P'),
  surveyPower: i32('survey power S'),
  cloakPower: i32('cloak strength C while the cloak is on'),
  cloakDevice: u8('1 with a cloaking device, fitted or built in'),
  crewFit: u16('people'),
  crewInjured: u16('people'),
  marinesFit: u16('people'),
  marinesInjured: u16('people'),
  crewCap: u16('people'),
  crewMin: u16('people'),
  marineCap: u16('people'),
  crewEffPct: u8('crew efficiency, 25-100'),
  personnelVersion: u32('raised by each change of personnel'),
})

/** Ships whose shield is below its maximum and regrows. */
export const Recovering = defineTag('ship', 'recovering')

/** Families a rig extracts: index into the widths above. Source: mining.md section 1. */
export const FAMILIES = ['mining', 'ice', 'gas'] as const
export type Family = (typeof FAMILIES)[number]

export const Module = defineTable('module', ROWS.modules, {
  number: f64('durable number: its wire id is a function of it'),
  ship: ref('ship', 'ship it is fitted to'),
  next: ref('module', 'next module of that ship'),
  type: u16('index into GOODS', { catalog: 'goods' }),
  issue: u8('1 if it came with an issue hull: destroyed when taken off, never drops'),
  ammo: u16('rounds loaded'),
  ammoType: u16('index into GOODS plus 1; 0 = none', { catalog: 'goods', catalogBase: 1 }),
  cooldown: u8('ticks until it may fire again'),
})

/** Relates ships to the player who owns them, whether flown, parked or carried. */
export const SHIPS_OF = relation('ships of a player', {
  many: Ship,
  via: 'owner',
  next: 'nextOwned',
  one: Player,
  head: 'firstOwned',
  order: 'latest-first',
})

/** Relates modules to the ship they are fitted to, in order of fitting. */
export const MODULES_OF = relation('modules of a ship', {
  many: Module,
  via: 'ship',
  next: 'next',
  one: Ship,
  head: 'firstModule',
  order: 'oldest-first',
})

/** Names that pilots gave, folded like user names → number of the ship of that name. */
export const SHIP_NAMES = defineRecords<number>('ship names', ROWS.ships)
