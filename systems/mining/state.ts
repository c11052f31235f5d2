/** Deposits at places, and requests to mine them, which exist only within a tick. */
import { defineTable, f64, i32, ref, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'

/** A deposit of one good at a place. */
export const Deposit = defineTable(
  'deposit',
  ROWS.deposits,
  {
    poi: ref('poi', 'place of the deposit'),
    item: u16('index into GOODS', { catalog: 'goods' }),
    richness: u8('richness, 1-100'),
    rank: u8('rarity rank: 0 common … 4 legendary'),
    family: u8('index into FAMILIES'),
    unlimited: u8('1: never runs out, and its amount is not stored'),
    deepCore: u8('1 at a deep-core place'),
    max: i32('capacity, units'),
    base: i32('units at baseTick'),
    baseTick: u32('tick in which the amount was last written'),
    frac: f64('fraction of a unit regrown at baseTick, in 1/window units'),
    window: u32('ticks from empty to full; 0 when unlimited'),
    size: u16('cargo space of a unit, from the catalogue', { derived: true }),
  },
  { fixed: true },
)

/** A request of a player to mine in the current tick. */
export const MineRequest = defineTable('mine_request', ROWS.mineRequests, {
  player: ref('player', 'player who mines'),
  ship: ref('ship', 'ship with the rig'),
  poi: ref('poi', 'place of the ship'),
  miningLevel: u8('skill level mining'),
  deepLevel: u8('skill level deep_core_mining'),
  attunementPct: u8('gas yield bonus of the nebula origin skill, %'),
  freeSpace: i32('space left in the hold; negative when it is overfull'),
  deposit: ref('deposit', 'deposit drawn by the kernel; 0 = none'),
  status: u8('index into MINE_STATUS, written by the kernel'),
  units: i32('units extracted, written by the kernel'),
  remaining: i32('units left in the deposit afterwards; -1 = unlimited'),
})

/** Outcomes of a request. Source: mining.md sections 3, 8. */
export const MINE_STATUS = [
  'asked',
  'yield',
  'filtered',
  'no_resources',
  'depleted',
  'too_sparse',
  'no_cargo_space',
] as const
