/** Types of the catalogue by command. */
import type { CatalogType } from './model.ts'

/** Types the paginated command takes. Source: social.md section 9. */
export const CATALOG_COMMAND_TYPES = [
  'ships',
  'skills',
  'recipes',
  'items',
  'facilities',
  'achievements',
] as const satisfies readonly CatalogType[]
