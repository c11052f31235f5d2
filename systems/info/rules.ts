/** Types of entries that the command `catalog` knows. */
import type { CatalogType } from './model.ts'

/** Types that the paginated command accepts. Source: social.md section 9. */
export const CATALOG_COMMAND_TYPES = [
  'ships',
  'skills',
  'recipes',
  'items',
  'facilities',
  'achievements',
] as const satisfies readonly CatalogType[]
