/**
 * The order of domains: on one floor a domain leans on earlier ones alone. It orders imports;
 * nothing runs by it (the registry has an order of its own, which worlds and hashes depend on).
 */
export const ORDER = [
  // records
  'empire',
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
] as const
