/** Seasons: what befalls a region for a while, and the news of it. */
import type { DomainDef } from '../../core/registry.ts'
import { getNews } from './queries.ts'

export const seasonDomain: DomainDef = {
  name: 'season',
  commands: [getNews],
}
