/**
 * The crews of lawless space, one per tract: who they are, where their stronghold is, who leads
 * them. Columns hold indices into CREWS: the order is that of the tracts.
 */
import { deepFreeze } from './freeze.ts'
import { TRACT_TEXTS } from './map-notable.ts'
import { REGIONS } from './regions.ts'

export interface CrewRow {
  readonly key: string
  readonly name: string
  readonly primaryColor: string
  readonly secondaryColor: string
  /** Name of the system with its stronghold. */
  readonly stronghold: string
  /** Name of its leader. */
  readonly boss: string
}

const BOSSES = [
  'Collector Isaure Vann',
  'Lampwick the Fourth',
  'Cantor Brine',
  'Hangman Tully Osk',
  'Dowager Sloe',
  'Receiver Anselm Dray',
]

export const CREWS: readonly CrewRow[] = deepFreeze(
  REGIONS.flatMap(({ pirates }) => (pirates ? [pirates] : [])).map((crew, tract) => ({
    key: crew.key,
    name: crew.name,
    primaryColor: crew.primary_color,
    secondaryColor: crew.secondary_color,
    stronghold: TRACT_TEXTS[tract].stronghold,
    boss: BOSSES[tract],
  })),
)
