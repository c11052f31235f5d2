/**
 * Limits of the server, with their units and reasons. A queue, list, text or loop without a limit
 * here, or in the state file of its domain, is a bug.
 */

/* Memory */
export const MAX_ENTITIES_DEFAULT = 1_000_000
export const MEMORY_PAGE_BYTES = 4096
/** Offset within a page from the start of one column to that of the next (PERFORMANCE.md 2c). */
export const COLUMN_STAGGER_BYTES = 832

/* Rows at MAX_ENTITIES = 1,000,000; most are scaled with it */
export const ROWS = {
  players: 200_000,
  ships: 1_000_000,
  modules: 4_000_000,
  accounts: 1_000_000,
  containers: 2_000_000,
  stacks: 8_000_000,
  orders: 2_000_000,
  /** Slots of the hash index of orders: half of them stay empty. */
  orderSlots: 4_000_000,
  lots: 4_000_000,
  /** Rows of order commands in one tick; more are refused. */
  orderRequests: 400_000,
  /** Lots that may trade in one tick; beyond that, matching stops until the next. */
  fills: 1_000_000,
  mineRequests: 200_000,
  wrecks: 200_000,
  /** Ships being built to order, ships for sale, and orders to buy ships. */
  commissions: 50_000,
  shipListings: 100_000,
  shipOrders: 100_000,
  /** One active policy per ship; most ships have none. */
  policies: 400_000,
  lockers: 600_000,
  jettisonContainers: 100_000,
  /** Packages, of which up to half may be notes. */
  packages: 400_000,
  systems: 2_000,
  lanes: 16_000,
  pois: 20_000,
  deposits: 40_000,
  bases: 2_000,
  goods: 2_048,
  books: 200_000,
  /** Books with daily averages; further books have none. */
  tradedDays: 100_000,
  levels: 2_000_000,
  /** Exchanges that players remember, the prices seen there, and their quotes. */
  sightings: 1_000_000,
  sights: 40_000,
  sightQuotes: 1_600_000,
  managed: 20_000,
  battles: 20_000,
  participants: 200_000,
  links: 200_000,
  /** At most BUFFS_PER_SHIP_MAX per ship; few ships have any. */
  buffs: 400_000,
  prizes: 20_000,
  npcs: 50_000,
  warrants: 100_000,
  offences: 200_000,
  drones: 100_000,
  /** Texts of scripts; drones with the same text share it. */
  droneScripts: 20_000,
  droneWords: 400_000,
  droneMemos: 400_000,
  factions: 20_000,
  factionInvites: 200_000,
  fleets: 50_000,
  fleetInvites: 100_000,
  /** Stores and buckets of factions that hold something. */
  factionStores: 200_000,
  /** At most JOBS_PER_PLAYER_MAX per player; most have none. */
  jobs: 400_000,
  /** HERDS_PER_SYSTEM_MAX for each of `systems`. */
  herds: 8_000,
  creatures: 40_000,
  facilities: 200_000,
  facilityListings: 50_000,
  /** Missions accepted and open: at most MISSIONS_MAX per player; few players have that many. */
  missions: 400_000,
  /** At most PASSENGERS_OF_BASE_MAX per base; most have few. */
  passengers: 200_000,
} as const

/**
 * Rows reserved for named accounts, and for named containers, so that later releases may add some.
 */
export const NAMED_ROWS = 128

/* Minimum rows of any world: the stocks and quotes of a new one fill them, with room to trade */
export const ROWS_MIN = {
  books: 20_000,
  tradedDays: 10_000,
  orders: 80_000,
  orderSlots: 160_000,
  orderRequests: 4_000,
  fills: 40_000,
  sights: 400,
  sightQuotes: 16_000,
  shipListings: 400,
  stacks: 40_000,
  facilities: 16_000,
  passengers: 8_000,
} as const

/** Wire ids of one kind that are cached; beyond that, the cache is emptied. */
export const WIRE_IDS_KEPT_MAX = 100_000

/* Text table */
export const TEXT_CHARACTERS_MAX = 100_000
export const TEXTS_MAX = 4_000_000

/* Inbox and batches */
/** Overload: ticks last at most this many times their set length. Source: RELIABILITY 3.5, L5 */
export const TICK_STRETCH_MAX = 10
/** ours: share of a tick's length that its work may fill, in percent; the rest is for queries. */
export const TICK_FILL_PCT = 90
/** ours: metrics named in one request; there are about a hundred. */
export const METRIC_NAMES_MAX = 100
/** ours: minimum time between two announcements of overload to players. */
export const OVERLOAD_NOTICE_EVERY_MS = 600_000
/** Commands that may wait for the world thread; further ones are answered with rate_limited. */
export const INBOX_MAX = 50_000
/** Immediates run in one batch: keeps batches short, so that queries are answered soon. */
export const IMMEDIATES_PER_BATCH_MAX = 2_000
/** A batch of immediates that takes longer makes the next one smaller, down to the minimum. */
export const IMMEDIATES_SLICE_MS = 20
export const IMMEDIATES_PER_BATCH_MIN = 50
export const REQUEST_ID_CHARACTERS_MAX = 128
/** Characters of a text parameter that names something, unless a rule says less. */
export const ID_CHARACTERS_MAX = 256
/** Minimum letters of a prefix that may stand for a name. */
export const PREFIX_CHARACTERS_MIN = 3
/** Candidates listed for an ambiguous name. */
export const CANDIDATES_MAX = 8

/** Prizes a player may have on their way home at once. Source: combat.md section 11. */
export const PRIZES_CLAIMED_MAX = 5
/** Ships a player may own, flown and parked. Source: ships.md section 1. */
export const SHIPS_PER_PLAYER_MAX = 100
/** Characters of a ship's name. Source: ships.md section 8. */
export const SHIP_NAME_CHARACTERS_MAX = 32
/** People in one command: more than any hull has berths, and as many as a column can hold. */
export const PEOPLE_MAX = 65_535

/* Lists and pages */
export const LIST_ROWS_MAX = 50
export const PAGE_MAX = 1_000
export const NEARBY_PLAYERS_MAX = 200
/** Offline players listed; the rest are counted. */
export const NEARBY_OFFLINE_MAX = 20
/** Rows of each list in the briefing at docking. */
export const BRIEFING_ROWS_MAX = 20
export const SYSTEM_AGENTS_MAX = 200
export const SEARCH_RESULTS_MAX = 20
/** Players listed in the answer of a flight and in the section `location`; get_nearby has all. */
export const ONLINE_PLAYERS_MAX = 20

/* Frames, connections, sessions */
export * from './limits-net.ts'
export * from './limits-public.ts'

/* Checks */
/** Rows that a check visits at a time, if it is costly per row. */
export const CHECKED_ROWS_MAX = 500

/* Threads (DESIGN 4) */
export const WORLD_STALL_MS = 2_000
export const WORLD_STARVED_MS = 30_000 // the same for a thread that gets no processor
/**
 * ours: a commit that takes longer is not just a slow disk; the server reports that it is not
 * ready.
 */
export const JOURNAL_STALL_MS = 5_000
/** Ends of the world thread at one tick after which the server gives up. */
export const WORLD_ENDS_AT_ONE_TICK_MAX = 3
/** Ends of the world thread while it ran one command after which that command is not run again. */
export const QUARANTINE_ENDS = 2
/** Quarantined commands that are kept; the oldest is dropped first. */
export const QUARANTINED_MAX = 1_000
/** Failures of kernel threads after which the world goes on without them. */
export const KERNEL_ENDS_MAX = 3

/* Money and quantities (market.md 1) */
export const PRICE_CREDITS_MAX = 1_000_000_000_000
export const ORDER_UNITS_MAX = 1_000_000_000
export const NOTIONAL_CREDITS_MAX = 4_000_000_000_000_000
export const FILLS_PER_ROW_MAX = 1_000
export const FILLS_PER_COMMAND_MAX = 2_000
export const LOTS_PER_FILL_MAX = 5_000
export const LEVELS_SHOWN_MAX = 100
/** Levels per side in a listing of the whole exchange; one item alone shows LEVELS_SHOWN_MAX. */
export const LEVELS_LISTED_MAX = 10
export const ORDERS_PER_BASE_MAX = 200
export const ORDERS_PER_PLAYER_MAX = 2_000
export const LOTS_PER_ORDER_MAX = 50
/** Lots on one side of a book; beyond that, only orders that trade at once are accepted. */
export const LOTS_PER_SIDE_MAX = 20_000
export const TRADE_NOTICES_PER_TICK_MAX = 20
/** Exchanges whose prices a player remembers. Source: market.md section 8. */
export const SIGHTINGS_PER_PLAYER_MAX = 64
export const INSIGHTS_MAX = 50
/** Books whose prices the archive stores each hour. */
export const PRICE_ROWS_PER_HOUR_MAX = 20_000
/** Rows of the tape of trades that the archive stores for one tick. */
export const FILL_ROWS_PER_TICK_MAX = 5_000
/** Insights of one kind, so that it does not crowd out the others. */
export const INSIGHTS_OF_KIND_MAX = 12
/** How many ticks back a cursor of view_market may reach. */
export const MARKET_CURSOR_TICKS = 360
/**
 * Share of a table's rows, in percent, that commands may fill; the rest is reserved for what must
 * not fail.
 */
export const TABLE_FILL_MAX_PCT = 90
/** The same for stacks and containers: beyond that, commands that change cargo are refused. */
export const GOODS_FILL_MAX_PCT = 97
export const JETTISON_ROWS_MAX = 100
export const JETTISON_KINDS_MAX = 200
/** Packages in one jettisoned container. */
export const JETTISON_PACKAGES_MAX = 20
export const JETTISON_TICKS = 60
export const QUANTITY_MAX = 1_000_000_000

/* Travel and mining */
export const DEPOSITS_PER_POI_MAX = 32
export const ROUTE_HOPS_MAX = 2_000
/** Shortest-path trees cached for routes, by start. */
export const ROUTE_TREES_MAX = 256

/* Sensing (travel.md 8) */
/** Cloaked ships that one observer tracks. */
export const SENSED_CONTACTS_MAX = 64
/** Rows of each list of an observation. */
export const OBSERVED_ROWS_MAX = 200
/** Events scan_detected sent to one player in a tick, so that a crowd does not flood them. */
export const SCAN_NOTICES_PER_TICK_MAX = 10

/* Battles (combat.md 1, 2) */
export const BATTLE_SIDES_MAX = 32
/** Buffs of one ship. Source: missions.md section 8. */
export const BUFFS_PER_SHIP_MAX = 8
/** Attack rows of a participant in a tick: one per damage type, one for burns, more for splash. */
export const ATTACKS_PER_PARTICIPANT = 8
/** Ships that one volley splashes, and candidates considered for it. */
export const SPLASH_TARGETS_MAX = 8
export const SPLASH_LOOKED_AT_MAX = 64
/**
 * Attack entries of all battles that the log takes in one tick, and the minimum for each battle:
 * writing an entry costs some hundred times what computing the attack does.
 */
export const BATTLE_LOG_ATTACKS_PER_TICK = 1_000
export const BATTLE_LOG_ATTACKS_MIN = 4
/** Attack entries after which a battle logs only joins, losses and its end. */
export const BATTLE_LOG_ATTACKS_MAX = 200_000
/** Rows in an answer of get_battle_log. */
export const BATTLE_LOG_ROWS_DEFAULT = 50
export const BATTLE_LOG_ROWS_MAX = 200
/** Bytes of a page of the log; the row that exceeds them is still included. */
export const BATTLE_LOG_PAGE_BYTES = 1024 * 1024
/** Orders of a pilot in one tick; further ones are answered with rate_limited. */
export const BATTLE_ORDERS_PER_TICK_MAX = 20

/** Combatants listed when a battle is announced; its ticks show the rest. */
export const BATTLE_ANNOUNCED_MAX = 200
/** Combatants listed in an answer, and former combatants remembered until their battle ends. */
export const BATTLE_LISTED_MAX = 1_000
/** Joins of a battle in one tick that are announced one by one; the next update shows the rest. */
export const BATTLE_JOINS_ANNOUNCED_MAX = 32
/** Largest battle in which every participant is sent every hit. */
export const BATTLE_DAMAGE_SHOWN_TO_ALL_MAX = 32

/* The law (combat.md 12) */
/** Largest bounty of a player at one empire, credits. */
export const BOUNTY_CREDITS_MAX = 1_000_000_000
/** Open offences of a player; further ones are not recorded. */
export const OFFENCES_PER_PLAYER_MAX = 200
/** Police drones in one battle. */
export const POLICE_PER_BATTLE_MAX = 100

/* Wrecks (salvage.md 1) */
export const WRECKS_PER_POI_MAX = 500
/** Wrecks of little value among them. */
export const POOR_WRECKS_PER_POI_MAX = 200
/** Wrecks and containers in an answer of get_wrecks; `total` counts them all. */
export const WRECKS_LISTED_MAX = 100

/* Insurance (ships.md 9) */
/** Days of premiums and payouts that the market factor of a tier covers. */
export const INSURANCE_MARKET_DAYS = 30

/* NPCs (combat.md 1, 13) */
/** Pirates in one battle. */
export const PIRATES_PER_BATTLE_MAX = 24
/** Pirates listed in an answer: more than any system is home to, with room for prizes. */
export const NEARBY_PIRATES_MAX = 50
/** Pirates that a scout calls to one target: as many as fight in one battle. */
export const RAIDERS_CALLED_MAX = 24
/** Minimum ticks between two radio messages in a system, and messages in all systems in a tick. */
export const RADIO_QUIET_TICKS = 3
export const RADIO_MESSAGES_PER_TICK_MAX = 16
/** Empire ships listed in an answer. */
export const NEARBY_EMPIRE_SHIPS_MAX = 50

/* Creatures (combat.md 13) */
export const HERDS_PER_SYSTEM_MAX = 4
/** Share of the ship rows that creatures may take, in percent. */
export const CREATURES_SHARE_PCT = 20
/** Creatures listed in an answer; the rest are counted. */
export const NEARBY_CREATURES_MAX = 50

/* Facilities (crafting.md 6) */
export const FACILITIES_PER_BASE_MAX = 1_000
/** Facilities of one player, and of one faction, at one base. */
export const FACILITIES_PER_PLAYER_AND_BASE_MAX = 20
export const FACILITIES_PER_FACTION_AND_BASE_MAX = 40
/** Facilities a player may receive by transfer per day. Source: crafting.md section 7. */
export const FACILITIES_RECEIVED_PER_DAY_MAX = 5
export const FACILITY_NAME_CHARACTERS_MIN = 3
export const FACILITY_NAME_CHARACTERS_MAX = 32
export const FACILITY_TEXT_CHARACTERS_MAX = 4_000
/** Packages that may pay for one facility. */
export const BUILD_PACKAGES_MAX = 50
/** Facilities in one list of an answer. */
export const FACILITIES_LISTED_MAX = 200
/** Largest fee for a unit made in a rented facility, credits. Source: crafting.md section 2. */
export const RENTAL_CREDITS_MAX = 1_000_000_000
/** Facilities that a station itself owns in a new world. */
export const FACILITIES_FOUNDED_PER_BASE_MAX = 24

/* Social (social.md, missions.md 7) */
export const CHAT_CHARACTERS_MAX = 500
export const CHATS_PER_MINUTE = 20
export const CHAT_SAME_TEXT_IN_10_S_MAX = 3
export const CHAT_SCOPE_PER_MINUTE = 120
export const CHAT_NEW_PARTNERS_PER_HOUR = 10
/** Chat partners remembered for a player; further messages to them do not count as new contacts. */
export const CHAT_KNOWN_PARTNERS_MAX = 50
export const CHAT_HISTORY_ROWS_DEFAULT = 50
export const CHAT_HISTORY_ROWS_MAX = 100
export const VERSIONS_PAGE = { default: 5, max: 20 } as const
export const LIST_PAGE = { default: 20, max: LIST_ROWS_MAX } as const
export const STRANGER_PUSHES_PER_MINUTE = 120
export const STRANGER_PUSHES_FROM_ONE_PER_MINUTE = 20
export const STATUS_CHARACTERS_MAX = 100
export const CLAN_TAG_CHARACTERS_MAX = 4
export const LOG_ENTRIES_MAX = 20
export const ACTION_LOG_ROWS_DEFAULT = 50
export const ACTION_LOG_ROWS_MAX = 100
/** Event types that one query of the action log may name. */
export const ACTION_LOG_TYPES_MAX = 20
export const PETITION_CHARACTERS_MAX = 1_000
export const FORUM_TITLE_CHARACTERS_MAX = 200
export const FORUM_POST_CHARACTERS_MAX = 5_000
export const FORUM_SEARCH_CHARACTERS_MAX = 100
export const FORUM_ROWS_DEFAULT = 20
export const FORUM_ROWS_MAX = 100
export const FORUM_PAGE_MAX = 100
/** A thread with this many replies is locked. */
export const FORUM_REPLIES_PER_THREAD_MAX = 1_000
export const FORUM_THREADS_PER_HOUR = 30
export const FORUM_REPLIES_PER_HOUR = 120
export const FORUM_VOTES_PER_HOUR = 300
/** Posts and votes of all players in one tick: each is a few statements in its transaction. */
export const FORUM_WRITES_PER_TICK_MAX = 200
export const LOG_ENTRY_BYTES_MAX = 30_000
/** Missions a player may have at once. */
export const MISSIONS_MAX = 5
/**
 * Credits that NPC missions may pay a player per day, and likewise pirate kills, from a level of
 * piloting on. Source: balance.md section 6.
 */
export const CREDITS_PER_DAY_MAX = [
  { piloting: 30, credits: 2_000_000 },
  { piloting: 20, credits: 1_200_000 },
  { piloting: 10, credits: 700_000 },
  { piloting: 0, credits: 300_000 },
] as const
/** Expired missions remembered for a player. */
export const LAPSED_MISSIONS_MAX = 10
export const MUTE_NAMES_MAX = 32
export const USERNAME_CHARACTERS_MIN = 3
export const USERNAME_CHARACTERS_MAX = 24

/* The parallel section (PERFORMANCE.md 3) */
/** Smallest single-thread time of a section worth waking kernel threads for, nanoseconds. */
export const PARALLEL_BREAK_EVEN_NS = 1_500_000
/** The same once they are awake in a tick: then only a barrier of a microsecond has to pay off. */
export const PARALLEL_AWAKE_BREAK_EVEN_NS = 500_000
/**
 * Spins before a kernel thread sleeps, about 0.3 ms: as long as the world thread works between two
 * sections of a tick. More spins would save nothing but wake-ups.
 */
export const SPINS_BEFORE_WAIT = 20_000
/** Shorter than WORLD_STALL_MS, so that the world thread can report a stalled kernel thread. */
export const SECTION_STALL_MS = 1_500
export const SECTION_WAKINGS_MAX = 15
