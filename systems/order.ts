/**
 * The order of domains: on one floor a domain leans on earlier ones alone. It orders imports;
 * nothing runs by it (the registry has an order of its own, which worlds and hashes depend on).
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

/** A floor of a domain: the kinds of files on it, known by their names, and what they hold. */
interface FloorRow {
  readonly name: string
  readonly kinds: readonly string[]
  readonly holds: string
  /** Which files of other domains its files may import, beside what all may. */
  readonly leansOn: string
}

/**
 * The floors, from the lowest: a file imports core and lower floors of its own domain, and of
 * others what `leansOn` says. Files are called `<topic>-<kind>.ts`, or `<kind>.ts`.
 */
export const FLOORS: readonly FloorRow[] = [
  {
    name: 'state',
    kinds: ['state'],
    holds: 'tables, records, indexes, occurrences, bounds',
    leansOn: 'state',
  },
  {
    name: 'schemas',
    kinds: ['schemas'],
    holds: 'wire shapes: parameters, results, events',
    leansOn: 'state and schemas',
  },
  {
    name: 'model',
    kinds: ['model', 'kernels'],
    holds: 'lookups and refusals that only look; writes to the own tables',
    leansOn: 'lower floors, and model of earlier domains',
  },
  {
    name: 'rules',
    kinds: ['rules'],
    holds: 'writes that reach several domains',
    leansOn: 'lower floors, and rules of earlier domains',
  },
  {
    name: 'views',
    kinds: ['views'],
    holds: 'wire forms for a viewer; write nothing',
    leansOn: 'lower floors, and views of earlier domains',
  },
  {
    name: 'needs',
    kinds: ['needs'],
    holds: 'what commands need, with the moves that meet it',
    leansOn: 'lower floors, and needs of earlier domains',
  },
  {
    name: 'play',
    kinds: ['commands', 'queries', 'systems', 'observers', 'checks', 'genesis'],
    holds: 'what the engine calls; private to the domain',
    leansOn: 'lower floors of any domain',
  },
  { name: 'index', kinds: ['index'], holds: 'the DomainDef', leansOn: 'nothing' },
]
