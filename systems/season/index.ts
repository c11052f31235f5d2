/**
 * Seasons: temporary changes of demand, travel and bounties in a region, and the news about them.
 */
import type { DomainDef } from '../../core/registry.ts'
import { getNews } from './queries.ts'

export const seasonDomain: DomainDef = {
  name: 'season',
  commands: [getNews],
}
