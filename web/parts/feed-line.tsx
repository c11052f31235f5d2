/** Describes events of the feed as text. An unknown type is shown by its name. */
import type { ComponentChildren } from 'preact'
import type { StreamMessage } from '../stream.ts'
import { formatId, formatInt, plural } from './format.ts'
import { PlayerLink } from './link.tsx'

type Tone = 'bad' | 'warn' | 'good' | 'plain'
interface Line {
  readonly tone: Tone
  readonly text: ComponentChildren
}

/** Renders the name of a player, as a link if they have a profile. */
type Who = (name: string) => ComponentChildren

type Data<T> = Extract<StreamMessage, { type: T }> extends { data: infer D } ? D : never

const place = (name: string): ComponentChildren => <span class="name muted">{name}</span>
const bold = (name: string): ComponentChildren => <b class="name">{name}</b>

const amounts = (rows: readonly (readonly [string, number])[]): string =>
  rows.map(([name, count]) => `${formatInt(count)} ${name}`).join(', ')

/** Functions that return tone and text of an event, by its type. */
const LINES: { readonly [T in StreamMessage['type']]?: (data: Data<T>, who: Who) => Line } = {
  player_joined: ({ username, empire }, who) => ({
    tone: 'plain',
    text: [who(username), ' joined the ', formatId(empire)],
  }),
  player_destroyed: ({ victim, killer, cause, system_name }, who) => ({
    tone: 'bad',
    text: [
      who(victim),
      killer
        ? [' was destroyed by ', who(killer)]
        : ` was lost${cause ? ` (${formatId(cause).toLowerCase()})` : ''}`,
      ' in ',
      place(system_name),
    ],
  }),
  pirate_destroyed: ({ killer, pirate_name, is_boss, system_name }, who) => ({
    tone: is_boss ? 'warn' : 'plain',
    text: [who(killer), ' destroyed ', bold(pirate_name), ' in ', place(system_name)],
  }),
  combat: ({ attacker, defender, winner }, who) => ({
    tone: winner ? 'plain' : 'bad',
    text: winner
      ? [who(winner), ' won against ', who(winner === attacker ? defender : attacker)]
      : [who(attacker), ' attacked ', who(defender)],
  }),
  faction_created: ({ leader, faction_name, faction_tag }, who) => ({
    tone: 'plain',
    text: [who(leader), ' founded ', bold(faction_name), ` [${faction_tag}]`],
  }),
  faction_war: ({ aggressor, defender }) => ({
    tone: 'bad',
    text: [bold(aggressor), ' declared war on ', bold(defender)],
  }),
  faction_peace: ({ faction1_name, faction2_name }) => ({
    tone: 'good',
    text: [bold(faction1_name), ' and ', bold(faction2_name), ' made peace'],
  }),
  base_constructed: ({ builder, base_name, system_name }, who) => ({
    tone: 'good',
    text: [who(builder), ' built ', bold(base_name), ' in ', place(system_name)],
  }),
  base_destroyed: ({ attacker, base_name }, who) => ({
    tone: 'bad',
    text: [bold(base_name), ' was destroyed', attacker ? [' by ', who(attacker)] : ''],
  }),
  exchange_fill: ({ item_name, quantity, price_each, station_name }) => ({
    tone: 'plain',
    text: [
      `${formatInt(quantity)} ${item_name} at ${formatInt(price_each)} cr, `,
      place(station_name),
    ],
  }),
  mining_summary: ({ miner_count, resources }) => ({
    tone: 'plain',
    text: `${plural(miner_count, 'miner')} mined ${amounts(
      resources.map(({ resource_name, quantity }) => [String(resource_name), Number(quantity)]),
    )}`,
  }),
  crafting_summary: ({ crafter_count, items }) => ({
    tone: 'plain',
    text: `${plural(crafter_count, 'crafter')} made ${amounts(
      items.map(({ item_name, count }) => [String(item_name), Number(count)]),
    )}`,
  }),
  system_activity: ({ players, total, system_name }, who) => ({
    tone: 'plain',
    text: [
      players.flatMap((name, index) => [index > 0 ? ', ' : '', who(name)]),
      total > players.length ? ` and ${total - players.length} more` : '',
      ' in ',
      place(system_name),
    ],
  }),
  jump: ({ player, to_system_name }, who) => ({
    tone: 'plain',
    text: [who(player), ' jumped to ', place(to_system_name)],
  }),
  forum_post: ({ author, title }, who) => ({
    tone: 'plain',
    text: [who(author), ' wrote ', bold(title)],
  }),
  forum_reply: ({ author, thread_title }, who) => ({
    tone: 'plain',
    text: [who(author), ' answered in ', bold(thread_title)],
  }),
  server_announcement: ({ title, message }) => ({
    tone: 'warn',
    text: [bold(title), ' ', message],
  }),
}

/** Returns an event as text; undefined for messages that are not shown. */
export function lineOf(message: StreamMessage): Line | undefined {
  const { type } = message
  if (type === 'connected' || type === 'tick' || type === 'reset' || type === 'topic')
    return undefined
  const known = 'player_info' in message ? (message.player_info as object) : {}
  const who: Who = (name) => (name in known ? <PlayerLink name={name} /> : bold(name))
  const line = LINES[type] as ((data: unknown, who: Who) => Line) | undefined
  return line?.(message.data, who) ?? { tone: 'plain', text: formatId(String(type)) }
}
