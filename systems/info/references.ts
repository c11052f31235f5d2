/** Kinds of the catalogue by id and shown name: what is hidden there is not found by name. */
import {
  EMPIRES,
  FACILITIES,
  GOODS,
  isModule,
  RECIPES,
  SHIP_CLASSES,
} from '../../core/catalog/index.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { type ReferenceDef, type ReferenceKind, sortNames } from '../../core/reference.ts'

interface Entry {
  readonly id: string
  readonly name: string
  readonly hidden?: boolean
}

function ofRows(
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
  ofRows('item', GOODS, 'unknown_item'),
  ofRows('module', GOODS.filter(isModule), 'module_not_found'),
  ofRows('ship_class', SHIP_CLASSES, 'unknown_class'),
  ofRows('recipe', RECIPES, 'unknown_recipe'),
  ofRows('facility_type', FACILITIES, 'unknown_facility_type'),
  ofRows('empire', EMPIRES, 'invalid_empire'),
]
