/** Actions of `facility` that look. Source: crafting.md section 7. */
import { Type } from '../../core/params.ts'
import { DOCKED } from '../travel/rules.ts'
import type { FacilityAction } from './action.ts'
import { types } from './catalogue.ts'
import {
  browse,
  listAll,
  listFactionOwned,
  listFactions,
  listOwned,
  listUpgrades,
} from './queries.ts'
import {
  browseForSaleSchema,
  factionListSchema,
  factionOwnedSchema,
  listSchema,
  ownedSchema,
  personalVisitSchema,
  typeDetailSchema,
  typeDiscoverySchema,
  typeListSchema,
  upgradesSchema,
} from './schemas-read.ts'
import { visit } from './settings.ts'

export const LOOKING: readonly FacilityAction[] = [
  {
    name: 'types',
    kind: 'query',
    summary: 'What can be built: categories, a page of types, or one type in full.',
    optional: ['category', 'name', 'level', 'page', 'per_page', 'facility_type'],
    needs: [],
    errors: ['unknown_facility_type'],
    result: Type.Union([typeDiscoverySchema, typeListSchema, typeDetailSchema]),
    run: (_view, _player, asked) => types(asked),
  },
  {
    name: 'list',
    kind: 'query',
    summary: 'Everything that stands at this base, its power, its air and your rent.',
    needs: [DOCKED],
    errors: [],
    result: listSchema,
    run: listAll,
  },
  {
    name: 'owned',
    kind: 'query',
    summary: 'Your facilities everywhere, and what they cost you.',
    needs: [],
    errors: [],
    result: ownedSchema,
    run: listOwned,
  },
  {
    name: 'faction_owned',
    kind: 'query',
    summary: 'The facilities of your faction everywhere, and what they cost it.',
    needs: [],
    errors: ['not_in_faction'],
    result: factionOwnedSchema,
    run: listFactionOwned,
  },
  {
    name: 'faction_list',
    kind: 'query',
    summary: 'The facilities of your faction at this base.',
    needs: [DOCKED],
    errors: ['not_in_faction'],
    result: factionListSchema,
    run: listFactions,
  },
  {
    name: 'upgrades',
    kind: 'query',
    summary: 'What your facilities at this base may become, and what that takes.',
    needs: [DOCKED],
    errors: [],
    result: upgradesSchema,
    run: listUpgrades,
  },
  {
    name: 'browse_for_sale',
    kind: 'query',
    summary: 'Facilities for sale at this base, the cheapest first.',
    optional: ['facility_type', 'max_price'],
    needs: [DOCKED],
    errors: [],
    result: browseForSaleSchema,
    run: browse,
  },
  {
    name: 'personal_visit',
    kind: 'query',
    summary: 'Look at your quarters here, or at those of a player who lets you in.',
    optional: ['username'],
    needs: [DOCKED],
    errors: ['not_found', 'access_denied'],
    result: personalVisitSchema,
    run: visit,
  },
]
