/**
 * The order of domains for imports: on a floor, a domain may import only from domains listed before
 * it. The order in which domains run is a different one, in registry.ts: worlds and hashes depend
 * on that one alone.
 */
export const ORDER = [
  // records
  'empire',
  'season',
  'settings',
  'log',
  'achievement',
  'account',
  'skill',
  // places
  'station',
  'base',
  'tax',
  'insurance',
  'facility',
  // goods
  'cargo',
  'note',
  'consumable',
  // hulls
  'ship',
  'personnel',
  // society
  'citizenship',
  'faction',
  'diplomacy',
  'law',
  'chat',
  'forum',
  'room',
  'petition',
  // space
  'mining',
  'travel',
  'drone',
  'salvage',
  'prize',
  'sensing',
  'fleet',
  'wormhole',
  'passenger',
  // commerce
  'craft',
  'trade',
  'posting',
  'mission',
  'freight',
  // battle
  'creature',
  'npc',
  'arena',
  'siege',
  'fitting',
  'shipyard',
  'boarding',
  'combat',
  // top
  'distress',
  'intel',
  'market',
  'info',
  'economy',
  'spectator',
  'correction',
] as const

/** A floor, which is a layer of files within a domain: how they are named and what they hold. */
interface FloorRow {
  readonly name: string
  readonly kinds: readonly string[]
  readonly holds: string
  /** The files of other domains that files on this floor may import. */
  readonly mayImport: string
}

/**
 * The floors, lowest first: a file may import core, lower floors of its own domain, and what
 * `mayImport` lists of other domains. Files are named `<topic>-<kind>.ts` or `<kind>.ts`.
 */
export const FLOORS: readonly FloorRow[] = [
  {
    name: 'state',
    kinds: ['state'],
    holds: 'tables, records, indexes, occurrences, bounds',
    mayImport: 'state',
  },
  {
    name: 'schemas',
    kinds: ['schemas'],
    holds: 'wire shapes: parameters, results, events',
    mayImport: 'state and schemas',
  },
  {
    name: 'model',
    kinds: ['model', 'kernels'],
    holds: 'read-only lookups and refusals; writes to the domain’s own tables',
    mayImport: 'lower floors, and model of earlier domains',
  },
  {
    name: 'rules',
    kinds: ['rules'],
    holds: 'writes that affect several domains',
    mayImport: 'lower floors, and rules of earlier domains',
  },
  {
    name: 'views',
    kinds: ['views'],
    holds: 'wire forms for a viewer; they write nothing',
    mayImport: 'lower floors, and views of earlier domains',
  },
  {
    name: 'needs',
    kinds: ['needs'],
    holds: 'preconditions of commands, with the automatic moves that satisfy them',
    mayImport: 'lower floors, and needs of earlier domains',
  },
  {
    name: 'play',
    kinds: ['commands', 'queries', 'systems', 'observers', 'checks', 'genesis'],
    holds: 'entry points that the engine calls; private to the domain',
    mayImport: 'lower floors of any domain',
  },
  { name: 'index', kinds: ['index'], holds: 'the DomainDef', mayImport: 'nothing' },
]
