/**
 * The five empires: who they are and the policy figures the rules read (factions.md section 10),
 * the words a username may not contain (accounts.md section 2), and what a new citizen starts
 * with.
 */
import { deepFreeze } from './freeze.ts'
import { ITEMS } from './items.ts'
import type { EmpireId } from './map-types.ts'
import { SHIP_CLASSES } from './ships.ts'
import type { EmpirePolicy, EmpireRow, StarterKit } from './types.ts'

export const EMPIRE_IDS: readonly EmpireId[] = deepFreeze([
  'solarian',
  'voidborn',
  'crimson',
  'nebula',
  'outerrim',
])

const CONTRABAND = ITEMS.filter((row) => row.category === 'contraband').map((row) => row.id)
const HALF_CONTRABAND = CONTRABAND.slice(0, Math.trunc(CONTRABAND.length / 2))

interface PolicyLine {
  credits: number
  sales: readonly [own: number, foreign: number, stateless: number]
  income: readonly [personal: number, faction: number, property: number]
  fuelTax: number
  citizenship: readonly [fee: number, balance: number, reputation: number]
  autoApprove: boolean
  exclusive: boolean
  contraband: readonly string[]
}

function policy(line: PolicyLine): EmpirePolicy {
  return {
    starting_credits: line.credits,
    sales_tax_bps: line.sales[0],
    default_foreign_sales_tax_bps: line.sales[1],
    foreign_sales_tax_bps: {},
    stateless_sales_tax_bps: line.sales[2],
    income_tax_bps: line.income[0],
    faction_income_tax_bps: line.income[1],
    property_tax_bps: line.income[2],
    foreign_income_tax_deduction: {},
    listing_fee_bps: 100,
    ship_listing_fee_bps: 100,
    fuel_tax_per_unit: line.fuelTax,
    repair_cost_per_hull: 5,
    citizenship_open: true,
    citizenship_fee: line.citizenship[0],
    citizenship_min_balance: line.citizenship[1],
    citizenship_min_reputation: line.citizenship[2],
    citizenship_auto_approve: line.autoApprove,
    citizenship_exclusive: line.exclusive,
    contraband_items: line.contraband,
    customs_fine_multiplier_bps: 20_000,
    jail_duration_hours: 24,
    shoot_on_sight_threshold: -20,
    eviction_grace_cycles: 260,
    bounty_attack: 500,
    bounty_kill: 2_000,
    bounty_rep_restoration_bps: 5_000,
    bounty_rep_restoration_cap: 10,
    rep_penalty_attack: 5,
    rep_penalty_kill: 10,
    rep_decay_amount: 1,
    rep_baseline_citizen: 20,
    rep_baseline_outsider: 10,
    rep_trade_fill_divisor: 200,
    rep_trade_fill_cap: 2,
    tax_delinquency_bounty_per_credit: 10_000,
  }
}

export const EMPIRES: readonly EmpireRow[] = deepFreeze([
  {
    id: 'solarian',
    name: 'The Solarian Concordance',
    short_name: 'Concordance',
    adjective: 'Concordant',
    motto: 'What is written, stands.',
    description:
      'The oldest law in space still in force. The Concordance grew from seven colonies that ' +
      'agreed, in writing, to share one sun’s light between them; it has been adding clauses ' +
      'ever since. Its magistrates wear heliodor, its ships are built to pass inspection, ' +
      'and its courts have never lost a file.',
    bonus: 'Balanced: a little more hull, shield and hold in every class.',
    capital_name: 'Aurelune',
    leader_title: 'First Magistrate',
    leader_name: 'Ysolde Marchetti-Vane',
    primary_color: '#E8B84B',
    secondary_color: '#1F3A5F',
    policy: policy({
      credits: 150,
      sales: [100, 300, 300],
      income: [500, 250, 50],
      fuelTax: 2,
      citizenship: [5_000, 25_000, 40],
      autoApprove: false,
      exclusive: false,
      contraband: CONTRABAND,
    }),
  },
  {
    id: 'voidborn',
    name: 'The Voidborn Conclave',
    short_name: 'Conclave',
    adjective: 'Conclavist',
    motto: 'Listen first.',
    description:
      'Descendants of crews whose ships never arrived. Three centuries between stars taught ' +
      'them to live on little light and less noise, and when planets were offered they ' +
      'declined. The Conclave decides nothing aloud; its shields are the best anyone has ' +
      'failed to hit.',
    bonus: 'Stronger shields and a culture of stealth.',
    capital_name: 'Ith Vael',
    leader_title: 'Keeper of the Quiet',
    leader_name: 'Nerith Sool',
    primary_color: '#5B4B8A',
    secondary_color: '#0B0D17',
    policy: policy({
      credits: 100,
      sales: [100, 200, 200],
      income: [200, 100, 50],
      fuelTax: 1,
      citizenship: [0, 0, 20],
      autoApprove: true,
      exclusive: false,
      contraband: CONTRABAND,
    }),
  },
  {
    id: 'crimson',
    name: 'The Crimson Oathhold',
    short_name: 'Oathhold',
    adjective: 'Oathsworn',
    motto: 'Said is done.',
    description:
      'A chain of forge worlds held together by promises and the penalty for breaking them. ' +
      'Every child of the Oathhold swears one thing before witnesses and is known by it for ' +
      'life. They make the best guns there are and have, on the whole, sworn to use them.',
    bonus: 'Weapons on their hulls strike harder.',
    capital_name: 'Karrag Deep',
    leader_title: 'Oathmarshal',
    leader_name: 'Drava Korrun',
    primary_color: '#A3182A',
    secondary_color: '#2B2B2B',
    policy: policy({
      credits: 100,
      sales: [150, 300, 400],
      income: [300, 200, 50],
      fuelTax: 2,
      citizenship: [10_000, 0, 50],
      autoApprove: false,
      exclusive: true,
      contraband: HALF_CONTRABAND,
    }),
  },
  {
    id: 'nebula',
    name: 'The Nebula Mercantile League',
    short_name: 'League',
    adjective: 'Leaguer',
    motto: 'Everything arrives.',
    description:
      'Nine counting houses that found it cheaper to share a navy than to hire nine. The ' +
      'League taxes lightly, insures heavily and keeps the gas lanes open because closed ' +
      'lanes earn nothing. Its freighters are large enough to have weather.',
    bonus: 'Larger cargo holds in every class.',
    capital_name: 'Gildshoal',
    leader_title: 'Comptroller-General',
    leader_name: 'Osmundo Pellicane',
    primary_color: '#2FA39A',
    secondary_color: '#F2E8CF',
    policy: policy({
      credits: 250,
      sales: [50, 150, 200],
      income: [250, 150, 25],
      fuelTax: 1,
      citizenship: [25_000, 100_000, 30],
      autoApprove: true,
      exclusive: false,
      contraband: HALF_CONTRABAND,
    }),
  },
  {
    id: 'outerrim',
    name: 'The Outerrim Free Compact',
    short_name: 'Compact',
    adjective: 'Rimfolk',
    motto: 'Mind the lamp.',
    description:
      'A handshake that became a country. Beyond the last chart, settlers agreed on three ' +
      'rules: answer distress calls, pay for what you break, and keep a lamp lit at the ' +
      'dock. Nobody governs the Compact, though somebody has to order the fuel. Their ships ' +
      'are small, patched and quicker than they look.',
    bonus: 'Faster hulls in the light and middle classes.',
    capital_name: 'Lampwick',
    leader_title: 'Waymaster',
    leader_name: 'Jessamy Tolk',
    primary_color: '#D9772B',
    secondary_color: '#3C4A3E',
    policy: policy({
      credits: 100,
      sales: [0, 100, 0],
      income: [100, 100, 0],
      fuelTax: 0,
      citizenship: [500, 0, 10],
      autoApprove: true,
      exclusive: false,
      contraband: [],
    }),
  },
])

/** Returns the index into EMPIRE_IDS and EMPIRES; -1 when unknown. */
export function empireIndex(id: string): number {
  return (EMPIRE_IDS as readonly string[]).indexOf(id)
}

/**
 * The key of a username, without spaces, may contain none of these. Source: accounts.md section 2
 * rule 6.
 */
export const RESERVED_CONTAINS: readonly string[] = deepFreeze([
  ...EMPIRE_IDS,
  ...EMPIRES.map((row) => squeeze(row.name.replace(/^The /, ''))),
  ...EMPIRES.map((row) => squeeze(row.leader_name)),
  'admin',
  'moderator',
  'gamemaster',
  'gamemod',
  'gamedev',
  'devteam',
  'developer',
  'sysop',
  // ours: names for staff that are part of no other words than related ones (unofficial). Shorter
  // ones occur in ordinary words and names: modern, devil, observer, ecosystem, Stafford.
  'official',
  'support',
  'helpdesk',
])

/** The key of a username may not equal one of these. */
export const RESERVED_EQUALS: readonly string[] = deepFreeze([
  'system',
  'server',
  'staff',
  'police',
  'npc',
  'mod',
  'dev',
  // ours: where commands take a player or a place, these words mean a place.
  'cargo',
  'faction',
  'self',
  'storage',
  'tow',
])

function squeeze(name: string): string {
  return name.toLowerCase().replaceAll(' ', '')
}

const STARTER_CARGO = [
  { item_id: 'fuel_cell', quantity: 2 },
  { item_id: 'repair_kit', quantity: 1 },
]

/** What new citizens start with, in the order of EMPIRE_IDS. */
export const STARTER: readonly StarterKit[] = deepFreeze(
  EMPIRES.map((empire) => {
    const ship = SHIP_CLASSES.find((row) => row.starter_ship && row.faction === empire.id)!
    return {
      empire: empire.id,
      ship_class: ship.id,
      modules: ship.default_modules,
      credits: empire.policy.starting_credits,
      cargo: STARTER_CARGO,
    }
  }),
)
