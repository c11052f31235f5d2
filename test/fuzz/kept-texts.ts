/**
 * Every text parameter of the commands, in three groups: texts that name something which exists,
 * texts that are stored and read back over the wire here, and stored texts that need more of a
 * world than is staged here. A test compares the lists with the registry, so that none is
 * forgotten. Source: RELIABILITY 5, B10.
 */
import type { CommandDef } from '../../core/command.ts'
import { isInternal } from '../../net/addresses.ts'
import type { Json } from './driver.ts'
import type { Schema } from './values.ts'

/** Answers to what has been written so far of the same text, by field. */
export type Written = Readonly<Record<string, Json>>

interface KeptText {
  /** `command.field`; a command that stores several texts has several entries. */
  readonly field: string
  write(text: string, written: Written): readonly [string, Json]
  /** The command that shows the text. */
  read(written: Written): readonly [string, Json]
  /** The command that deletes the text, so that the next has room. */
  undo?(written: Written): readonly [string, Json]
}

const noteOf = (written: Written, field: string): Json => ({ note_id: written[field]?.note_id })
const noted = (field: string, write: KeptText['write']): KeptText => ({
  field,
  write,
  read: (written) => ['read_note', noteOf(written, field)],
})

/** In the order of writing: a later text may be written into what an earlier one made. */
export const KEPT_TEXTS: readonly KeptText[] = [
  {
    field: 'chat.content',
    write: (content) => ['chat', { channel: 'system', content }],
    read: () => ['get_chat_history', { channel: 'system' }],
  },
  {
    field: 'set_status.status_message',
    write: (text) => ['set_status', { status_message: text }],
    read: () => ['get_status', {}],
  },
  {
    field: 'set_status.clan_tag',
    write: (text) => ['set_status', { clan_tag: text }],
    read: () => ['get_status', {}],
  },
  {
    field: 'captains_log_add.entry',
    write: (entry) => ['captains_log_add', { entry }],
    read: () => ['captains_log_get', { index: 0 }],
  },
  noted('create_note.title', (title) => ['create_note', { title, content: 'Empty.' }]),
  {
    field: 'write_note.content',
    write: (content, written) => [
      'write_note',
      { ...noteOf(written, 'create_note.title'), content },
    ],
    read: (written) => ['read_note', noteOf(written, 'create_note.title')],
    undo: (written) => ['delete_note', noteOf(written, 'create_note.title')],
  },
  {
    ...noted('create_note.content', (content) => ['create_note', { title: 'A note', content }]),
    undo: (written) => ['delete_note', noteOf(written, 'create_note.content')],
  },
  {
    field: 'forum_create_thread.title',
    write: (title) => ['forum_create_thread', { title, content: 'Well?' }],
    read: (written) => [
      'forum_get_thread',
      { thread_id: written['forum_create_thread.title']?.thread_id },
    ],
  },
  {
    field: 'forum_create_thread.content',
    write: (content) => ['forum_create_thread', { title: 'A thread', content }],
    read: (written) => [
      'forum_get_thread',
      { thread_id: written['forum_create_thread.content']?.thread_id },
    ],
  },
  {
    field: 'forum_reply.content',
    write: (content, written) => [
      'forum_reply',
      { thread_id: written['forum_create_thread.content']?.thread_id, content },
    ],
    read: (written) => [
      'forum_get_thread',
      { thread_id: written['forum_create_thread.content']?.thread_id },
    ],
  },
  {
    field: 'name_ship.name',
    write: (name) => ['name_ship', { name }],
    read: () => ['get_ship', {}],
  },
  {
    field: 'faction_edit.description',
    write: (description) => ['faction_edit', { description }],
    read: () => ['faction_info', {}],
  },
  {
    field: 'faction_edit.charter',
    write: (charter) => ['faction_edit', { charter }],
    read: () => ['faction_info', {}],
  },
]

/** Stored texts that are not staged here: texts.test.ts checks that what is stored is clean. */
export const KEPT_ELSEWHERE: readonly string[] = [
  'build_base.name',
  'build_outpost.name',
  'create_faction.name',
  'create_faction.tag',
  'faction_create_role.name',
  'faction_edit_role.name',
  'faction_edit.primary_color',
  'faction_edit.secondary_color',
  'set_colors.primary_color',
  'set_colors.secondary_color',
  'faction_declare_war.reason',
  'faction_propose_peace.terms',
  'petition.message',
  'faction_write_room.name',
  'faction_write_room.description',
  'personal_decorate.description',
  'send_gift.message',
  'deposit.message',
  'set_drone_name.name',
  'upload_drone_script.script',
  'station.name',
  'station.description',
  'set_name.name',
  'set_description.description',
  'facility.name',
  'facility.description',
  'facility.custom_name',
  'set_name.custom_name',
  'facility.label',
  'job_add.label',
  'craft.label',
  'craft.jobs.label',
  'craft.output_package_label',
  'craft.jobs.output_package_label',
]

/** Commands whose texts are all stored but not staged here, or not written by players. */
const COMMANDS_ELSEWHERE: readonly string[] = [
  'faction_post_mission', // title, dialog, objectives: a template of the faction
  'faction_submit_intel', // what a scanner saw: checked against the map
  'faction_submit_trade_intel',
]

/** Names of parameters that refer to something which exists, or choose from a list. */
const CHOOSES = new Set([
  'after',
  'before',
  'author',
  'category',
  'channel',
  'class',
  'date_from',
  'date_to',
  'deliver_to',
  'destination',
  'empire',
  'event_type',
  'facility_type',
  'faction',
  'faction_tag',
  'filter_destination',
  'filter_shipper',
  'guide',
  'id',
  'player',
  'poi_type',
  'query',
  'recipient',
  'resource_type',
  'search',
  'service',
  'ship_class',
  'source',
  'species',
  'stance',
  'station_name',
  'system_name',
  'target',
  'target_poi',
  'topic',
  'target_system',
  'triggers',
  'type',
  'types',
  'channels',
  'bucket',
  'dest_bucket',
  'text',
])
/** Names that choose something, where the same field of other commands sets one. */
const NAMES_CHOSEN = new Set(['types.name', 'unload_passenger.name'])
/** Texts of sessions: judged before anything is stored. */
const SESSION_TEXTS = new Set(['username', 'password', 'registration_code', 'token', 'device_code'])

const isChosen = (command: string, field: string): boolean => {
  const name = field.split('.').at(-1) ?? ''
  if (SESSION_TEXTS.has(name) || NAMES_CHOSEN.has(`${command}.${field}`)) return true
  return CHOOSES.has(name) || /(^|_)ids?$/.test(name)
}

function walk(schema: Schema | undefined, path: readonly string[], found: Set<string>): void {
  if (!schema) return
  if (schema.type === 'string' && !schema.enum) found.add(path.join('.'))
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    walk(part, [...path, name], found)
  }
  walk(schema.items, path, found)
  for (const part of schema.anyOf ?? []) walk(part, path, found)
}

/** Returns `command.field` of every free text. */
export function ownTexts(defs: Iterable<CommandDef>): string[] {
  const texts = new Set<string>()
  for (const def of defs) {
    if (isInternal(def) || COMMANDS_ELSEWHERE.includes(def.name)) continue
    const found = new Set<string>()
    walk(def.params as unknown as Schema, [], found)
    for (const field of found) if (!isChosen(def.name, field)) texts.add(`${def.name}.${field}`)
  }
  return [...texts].sort()
}
