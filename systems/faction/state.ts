/**
 * Factions, their members and roles, and open invitations. Their goods are in stores, which exist
 * while they hold something.
 */
import {
  defineComponent,
  defineEntity,
  defineTable,
  f64,
  ref,
  text,
  u8,
  u16,
  u32,
} from '../../core/columns.ts'
import { defineGuard } from '../../core/guard.ts'
import { ROWS } from '../../core/limits.ts'
import { defineOccurrence } from '../../core/occurrence.ts'
import { defineRecords } from '../../core/records.ts'
import type { ReferenceDef } from '../../core/reference.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Player } from '../account/state.ts'

export const FACTION_NAME_CHARACTERS_MAX = 32
export const FACTION_DESCRIPTION_CHARACTERS_MAX = 500
export const FACTION_CHARTER_CHARACTERS_MAX = 4_000
export const FACTION_INVITES_OPEN_MAX = 100
export const FACTION_INVITES_INCOMING_MAX = 20
/** Custom roles of a faction, besides the four default ones. */
export const FACTION_ROLES_MAX = 20
export const FACTION_ROLE_NAME_CHARACTERS_MAX = 32
/** Factions a player may found within FACTION_FOUNDING_TICKS. */
export const FACTIONS_FOUNDED_MAX = 3
export const FACTION_FOUNDING_TICKS = 8_640
/** Ticks for which the name and the tag of a disbanded faction stay reserved. */
export const FACTION_NAME_RESERVED_TICKS = 360
/** Ticks after which an unanswered invitation expires. */
export const FACTION_INVITE_TICKS = 60_480
/** Declines by one player, within FACTION_DECLINE_TICKS, after which the faction must wait. */
export const FACTION_DECLINES_MAX = 3
export const FACTION_DECLINE_TICKS = 360
/** Ticks that a leader may be offline before another member leads the faction. */
export const FACTION_LEADER_AWAY_TICKS = 259_200
/** Ticks between two reviews of a faction. */
export const FACTION_REVIEW_TICKS = 360
/** Latest moves of goods and credits that are listed with a faction's storage. */
export const FACTION_ACTIVITY_ROWS_MAX = 50
/** Value above which the treasurers are notified of a withdrawal, credits. */
export const FACTION_WITHDRAWAL_NOTICE_CREDITS = 10_000
export const FACTION_PAGE = { default: 50, max: 100 } as const

/** A faction. Source: factions.md section 1. */
export const Faction = defineEntity('faction', ROWS.factions, {
  name: text('name as given'),
  tag: text('four characters A-Z 0-9'),
  leader: ref('player', 'the member whose role is the leader'),
  domicile: u8('origin of the founder: index into EMPIRES; never changes'),
  treasury: ref('account', 'account that holds the credits'),
  members: u16('number of members'),
  description: text('what outsiders read'),
  charter: text('rules of the faction'),
  primaryColor: u32('0xRRGGBB'),
  secondaryColor: u32('0xRRGGBB'),
  allyIntelOptOut: u8('1 hides what it knows from its allies'),
  allyFuelAccess: u8('1 lets allies take fuel from its bunkers'),
  allyFacilityAccess: u8('1 lets allies use its facilities'),
  createdMs: f64('wall time of the founding, ms since 1970'),
})

/** A player's membership in a faction, and when they founded factions. */
export const Membership = defineComponent(Player, 'membership', {
  faction: ref('faction', 'the faction the player is in; 0 none'),
  role: u32('number of the role: 1-4 as DEFAULT_ROLES, beyond that one of ROLES'),
  joinNumber: f64('number of this entry into a faction among all ever; members are listed by it'),
  joinedMs: f64('wall time of joining, ms since 1970'),
  joinedTick: u32('tick of joining'),
  foundedTicks: u32('ticks plus 1 of the latest factions the player founded; 0 = none', {
    width: FACTIONS_FOUNDED_MAX,
  }),
})

/** One of DEFAULT_ROLES, or a custom role of a faction. */
export interface Role {
  /** 1-4 as DEFAULT_ROLES, from 5 for others; the wire id is a function of it. */
  readonly number: number
  readonly name: string
  /** 1-100, or 2-99 for custom roles: a higher one ranks above a lower one. */
  readonly priority: number
  /** Bits by PERMISSIONS. */
  readonly permissions: number
}

/** Custom roles, by number of the faction. */
export const ROLES = defineRecords<readonly Role[]>('faction_roles', ROWS.factions)

/** An open invitation into a faction. */
export interface Invite {
  /** Numbers of the faction, of the invited player and of the one who invites. */
  readonly faction: number
  readonly player: number
  readonly by: number
  readonly atMs: number
  readonly expiresTick: number
}

/** Open invitations by numbers `faction:player`, the oldest first. */
export const INVITES = defineRecords<Invite>('faction_invites', ROWS.factionInvites)

/** Latest ticks in which a player declined a faction, by numbers `faction:player`. */
export const DECLINES = defineRecords<readonly number[]>('faction_declines', ROWS.factionInvites)

/** Ticks from which reserved names and tags are free again, by their key; the oldest first. */
export const RESERVED_NAMES = defineRecords<number>('faction_kept_names', ROWS.factionInvites)

/** Contents of a faction's main store or a bucket at a base; exists while it holds something. */
export const FactionStore = defineTable('faction_store', ROWS.factionStores, {
  faction: ref('faction', 'owner'),
  base: ref('base', 'where it is'),
  bucket: f64('number of the facility that is the bucket; 0 the main store'),
  container: ref('container', 'the goods'),
  fuel: f64('of the main store: units of fuel in the bunker'),
})

/** A move of a faction's goods or credits, as its storage shows it. */
interface Activity {
  /** Number of the player. */
  readonly player: number
  readonly action: string
  readonly atMs: number
  readonly item?: string
  readonly quantity?: number
  readonly credits?: number
}

/** Latest moves by number of the faction, the newest first; all of them are in its log. */
export const ACTIVITY = defineRecords<readonly Activity[]>('faction_activity', ROWS.factions)

/** A faction and its last member, who inherits from it. */
interface Disbanding {
  readonly faction: Row
  readonly heir: Eid
}

/** Asks whether a faction may be disbanded yet; each domain may refuse with its reason. */
export const disbanding = defineGuard<
  Disbanding,
  'amount_too_large' | 'limit_reached' | 'faction_owns_bases'
>('faction disbanding')

/**
 * A faction is disbanded: each domain moves the credits it holds for the faction into the treasury
 * and the goods into its stores. Then stores and treasury go to the heir.
 */
export const disbanded = defineOccurrence<Disbanding>('faction disbanded')

/** A membership is about to end. */
export const memberLeaving = defineOccurrence<{ player: Eid; faction: Row }>('member leaving')

/** Item id that stands for credits in moves of goods. Source: WIRE 5.3. */
export const CREDITS = 'credits'

/** Resolves `credits` as an item where a move may have a faction's treasury on one side. */
export const money: ReferenceDef = {
  kind: 'money',
  byId: (_view, _player, text) => (text === CREDITS ? CREDITS : undefined),
  names: () => [],
  unknown: [],
}

/* Finding factions */

/** Index by which factions and their members are found. */
export interface Directory {
  /** Rows by key of the name, and by tag. */
  readonly names: Map<string, Row>
  readonly tags: Map<string, Row>
  /** Members in the order in which they joined. */
  readonly members: Map<Row, Eid[]>
}

export const DIRECTORY = defineIndex<Directory>('faction.directory', () => ({
  names: new Map(),
  tags: new Map(),
  members: new Map(),
}))

/** Rows by faction and base: the main store and up to ten buckets. */
export const STORES = defineIndex('faction.stores', () => new Map<number, Row[]>())
