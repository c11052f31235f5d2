/** The published catalogue: references by id and name, entries by type, filters. */
import {
  ACHIEVEMENTS,
  type AchievementRow,
  achievementEntry,
  EMPIRES,
  FACILITIES,
  FACTION_ACHIEVEMENTS,
  facilityEntry,
  GOODS,
  isModule,
  itemIndex,
  RECIPES,
  recipeEntry,
  SHIP_CLASSES,
  type ShipClassRow,
  SKILLS,
  wireEntry,
} from '../../core/catalog/index.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { type ReferenceDef, type ReferenceKind, sortNames } from '../../core/reference.ts'

interface Entry {
  readonly id: string
  readonly name: string
  readonly hidden?: boolean
}

function referenceOf(
  kind: ReferenceKind,
  rows: readonly Entry[],
  ...unknown: ErrorCode[]
): ReferenceDef {
  const ids = new Set(rows.map(({ id }) => id))
  const open = rows.filter(({ hidden }) => hidden !== true)
  const names = sortNames(open.map(({ id, name }) => ({ id, name, row: 0 })))
  return {
    kind,
    byId: (_view, _player, text) => [text, text.toLowerCase()].find((id) => ids.has(id)),
    names: () => names,
    unknown,
  }
}

export const catalogReferences: readonly ReferenceDef[] = [
  referenceOf('item', GOODS, 'unknown_item'),
  referenceOf('module', GOODS.filter(isModule), 'module_not_found'),
  referenceOf('ship_class', SHIP_CLASSES, 'unknown_class'),
  referenceOf('recipe', RECIPES, 'unknown_recipe'),
  referenceOf('facility_type', FACILITIES, 'unknown_facility_type'),
  referenceOf('empire', EMPIRES, 'invalid_empire'),
]

/*
 * The published catalogue by type. All of it is static, so the entries are made once and shared;
 * callers must not write to them.
 */

/** Types of the bulk file. Source: spec, Catalog bulk download. */
export const CATALOG_TYPES = [
  'ships',
  'skills',
  'recipes',
  'items',
  'facilities',
  'achievements',
  'faction_achievements',
] as const
export type CatalogType = (typeof CATALOG_TYPES)[number]

/** A published entry, as the wire shows it. */
export type CatalogEntry = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly name: string
}

interface Row {
  readonly id: string
  readonly hidden?: boolean
}

function published<T extends Row>(rows: readonly T[], entryOf: (row: T) => object): CatalogEntry[] {
  return rows.filter((row) => !row.hidden).map((row) => entryOf(row) as CatalogEntry)
}

const shownOf = (rows: readonly AchievementRow[]): CatalogEntry[] =>
  rows.filter((row) => !row.secret).map(achievementEntry)

const MAKERS: Readonly<Record<CatalogType, () => readonly CatalogEntry[]>> = {
  ships: () => published(SHIP_CLASSES, wireEntry),
  skills: () => published<(typeof SKILLS)[number] & Row>(SKILLS, wireEntry),
  recipes: () => published(RECIPES, recipeEntry),
  items: () => published(GOODS, wireEntry),
  facilities: () => published<(typeof FACILITIES)[number] & Row>(FACILITIES, facilityEntry),
  achievements: () => shownOf(ACHIEVEMENTS),
  faction_achievements: () => shownOf(FACTION_ACHIEVEMENTS),
}

/** Entries by type, made on first use, so that a server starts faster. */
const ENTRIES = new Map<CatalogType, readonly CatalogEntry[]>()

/**
 * Returns every published entry of a type, items and modules together. The command and the bulk
 * file share these entries.
 */
export function catalogEntries(type: CatalogType): readonly CatalogEntry[] {
  const entries = ENTRIES.get(type) ?? MAKERS[type]()
  ENTRIES.set(type, entries)
  return entries
}

/**
 * Returns the entries of a type for the paginated command: achievements of factions follow those of
 * players, since they have no type of their own there. Source: spec, Catalog bulk download;
 * contract, CatalogAchievement.faction.
 */
export function commandEntries(type: CatalogType): readonly CatalogEntry[] {
  return type === 'achievements'
    ? [...catalogEntries('achievements'), ...catalogEntries('faction_achievements')]
    : catalogEntries(type)
}

/** Counts the secret entries of a type; only their number is published. */
export function secretCount(type: CatalogType): number {
  if (type === 'achievements') return ACHIEVEMENTS.filter((row) => row.secret).length
  if (type !== 'faction_achievements') return 0
  return FACTION_ACHIEVEMENTS.filter((row) => row.secret).length
}

export function isCatalogType(type: string): type is CatalogType {
  return (CATALOG_TYPES as readonly string[]).includes(type)
}

interface CatalogFilter {
  readonly category?: string
  readonly class?: string
  readonly commissionable?: boolean
  readonly empire?: string
  readonly search?: string
  readonly tier?: number
}

/** Returns whether shipyards build a hull class to order. */
function isCommissionable(entry: CatalogEntry): boolean {
  const { shipyard_tier, starter_ship, legacy, category } = entry as unknown as ShipClassRow
  return shipyard_tier > 0 && !starter_ship && !legacy && category !== 'pirate'
}

const isSameText = (value: unknown, text: string): boolean =>
  typeof value === 'string' && value.toLowerCase() === text.toLowerCase()

function isOfEmpire(entry: CatalogEntry, empire: string): boolean {
  if (isSameText(entry.faction, empire) || isSameText(entry.empire_restriction, empire)) return true
  const lock = entry.region_lock
  return Array.isArray(lock) && lock.some((id) => isSameText(id, empire))
}

/**
 * Returns the entries that match every given filter, in catalogue order. A module's category is its
 * family.
 */
export function filterEntries(
  entries: readonly CatalogEntry[],
  filter: CatalogFilter,
): readonly CatalogEntry[] {
  const { category, class: role, commissionable, empire, search, tier } = filter
  const part = search?.trim().toLowerCase()
  return entries.filter(
    (entry) =>
      (category === undefined || isSameText(entry.category ?? entry.type, category)) &&
      (role === undefined || isSameText(entry.class, role)) &&
      (commissionable === undefined || isCommissionable(entry) === commissionable) &&
      (empire === undefined || isOfEmpire(entry, empire)) &&
      (tier === undefined || (entry.tier ?? entry.level) === tier) &&
      (!part || isCalled(entry, part) || makes(entry, part)),
  )
}

const isCalled = ({ id, name }: { id: string; name: string }, part: string): boolean =>
  id.includes(part) || name.toLowerCase().includes(part)

/** Returns whether the name of a product contains the text; the recipe's name seldom does. */
function makes({ outputs }: CatalogEntry, part: string): boolean {
  if (!Array.isArray(outputs)) return false
  const made = outputs as readonly { readonly item_id?: string }[]
  return made.some(({ item_id = '' }) => isCalled(GOODS[itemIndex(item_id)], part))
}
