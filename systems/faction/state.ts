/**
 * Factions: what they are, who belongs to them, and whom they have asked to. Their goods are in
 * stores, which exist while they hold something.
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
/** Roles of a faction beside the four it begins with. */
export const FACTION_ROLES_MAX = 20
export const FACTION_ROLE_NAME_CHARACTERS_MAX = 32
/** Factions a player may found within FACTION_FOUNDING_TICKS. */
export const FACTIONS_FOUNDED_MAX = 3
export const FACTION_FOUNDING_TICKS = 8_640
/** Ticks in which nobody takes the name or the tag of a faction that is gone. */
export const FACTION_NAME_RESERVED_TICKS = 360
/** Ticks in which an invitation is answered, or lapses. */
export const FACTION_INVITE_TICKS = 60_480
/** Refusals of one player within this many ticks, after which the faction waits. */
export const FACTION_DECLINES_MAX = 3
export const FACTION_DECLINE_TICKS = 360
/** Ticks without its leader after which another leads a faction. */
export const FACTION_LEADER_AWAY_TICKS = 259_200
/** Ticks in which every faction is checked for that once. */
export const FACTION_REVIEW_TICKS = 360
/** Moves of a faction's goods and credits that its storage shows. */
export const FACTION_ACTIVITY_ROWS_MAX = 50
/** Value of goods or credits of whose withdrawal the treasurers are notified, credits. */
export const FACTION_WITHDRAWAL_NOTICE_CREDITS = 10_000
export const FACTION_PAGE = { default: 50, max: 100 } as const

export const Faction = defineEntity('faction', ROWS.factions, {
  name: text('name as given'),
  tag: text('four characters A-Z 0-9'),
  leader: ref('player', 'the member whose role is the leader'),
  domicile: u8('origin of the founder: index into EMPIRES; never changes'),
  treasury: ref('account', 'account that holds the credits'),
  members: u16('number of members'),
  description: text('what outsiders read'),
  charter: text('the rules it gives itself'),
  primaryColor: u32('0xRRGGBB'),
  secondaryColor: u32('0xRRGGBB'),
  allyIntelOptOut: u8('1 keeps what it knows from its allies'),
  allyFuelAccess: u8('1 lets allies take fuel from its bunkers'),
  allyFacilityAccess: u8('1 lets allies use its facilities'),
  createdMs: f64('wall time of the founding, ms since 1970'),
})

export const Membership = defineComponent(Player, 'membership', {
  faction: ref('faction', 'the faction the player is in; 0 none'),
  role: u32('number of the role: 1-4 as DEFAULT_ROLES, beyond that one of ROLES'),
  joinNumber: f64('of all who ever joined one: members are listed by it'),
  joinedMs: f64('wall time of joining, ms since 1970'),
  joinedTick: u32('tick of joining'),
  foundedTicks: u32('ticks plus 1 of the latest factions the player founded; 0 = none', {
    width: FACTIONS_FOUNDED_MAX,
  }),
})

/** One of DEFAULT_ROLES, or a role that a faction has made itself. */
export interface Role {
  /** 1-4 as DEFAULT_ROLES, from 5 for others; the wire id is a function of it. */
  readonly number: number
  readonly name: string
  /** 1-100, 2-99 of those a faction makes: a higher one ranks above a lower one. */
  readonly priority: number
  /** Bits by PERMISSIONS. */
  readonly permissions: number
}

/** Roles that factions have made, by number of the faction. */
export const ROLES = defineRecords<readonly Role[]>('faction_roles', ROWS.factions)

export interface Invite {
  /** Numbers of the faction, of who is asked and of who asked. */
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

/** Keys of names and tags that nobody takes yet → tick from which they are free; oldest first. */
export const RESERVED_NAMES = defineRecords<number>('faction_kept_names', ROWS.factionInvites)

/** What a faction keeps at one base, in its main store or a bucket; exists while it holds some. */
export const FactionStore = defineTable('faction_store', ROWS.factionStores, {
  faction: ref('faction', 'whose it is'),
  base: ref('base', 'where it is'),
  bucket: f64('number of the facility that is the bucket; 0 the main store'),
  container: ref('container', 'the goods'),
  fuel: f64('of the main store: units of fuel in the bunker'),
})

/** A move of a faction's goods or credits, as its storage shows it. */
interface Activity {
  /** Number of who did it. */
  readonly player: number
  readonly action: string
  readonly atMs: number
  readonly item?: string
  readonly quantity?: number
  readonly credits?: number
}

/** Latest moves by number of the faction, the newest first; all of them are in its log. */
export const ACTIVITY = defineRecords<readonly Activity[]>('faction_activity', ROWS.factions)

/** A faction and its last member, who gets what it leaves. */
interface Disbanding {
  readonly faction: Row
  readonly heir: Eid
}

/** Whether a faction may end yet: a domain that refuses names the reason for `disbanded`. */
export const disbanding = defineGuard<
  Disbanding,
  'amount_too_large' | 'limit_reached' | 'faction_owns_bases'
>('faction disbanding')

/**
 * A faction ends: domains give up everything of it, credits into its treasury, goods into its
 * stores. Then stores and treasury go to the heir.
 */
export const disbanded = defineOccurrence<Disbanding>('faction disbanded')

/** A membership is about to end. */
export const memberLeaving = defineOccurrence<{ player: Eid; faction: Row }>('member leaving')

/** What a move of money names as its item. Source: WIRE 5.3. */
export const CREDITS = 'credits'

/** Money, where goods are moved and a faction's treasury may be one side. */
export const money: ReferenceDef = {
  kind: 'money',
  byId: (_view, _player, text) => (text === CREDITS ? CREDITS : undefined),
  names: () => [],
  unknown: [],
}

/* Finding factions */

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
