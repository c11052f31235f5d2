/** The page of events: category, mute channel, and every field of the payload. */
import Type, { type TSchema } from 'typebox'
import { type EventDef, MUTE_CHANNELS, type MuteChannel } from '../../core/event.ts'
import { publicEvents, sentence } from '../command-view.ts'
import { anchorOf, cell, code, type DocsPage, type DocsSources, table } from './page.ts'
import { boundsText, type NamedTypes, typeText } from './schema-text.ts'

/** Returns the channels that mute an event; for chat it depends on the channel of the message. */
export function channelsOf(event: EventDef): MuteChannel[] {
  const { channel } = event
  if (!channel) return []
  const chatChannels = MUTE_CHANNELS.filter((name) => name.startsWith('chat.')).map((name) =>
    name.slice('chat.'.length),
  )
  // Tries each channel of a message, and none. An event that needs other fields throws.
  const muting = ['', ...chatChannels].flatMap((name) => {
    try {
      const muted = channel({ channel: name } as never)
      return muted ? [muted] : []
    } catch {
      return []
    }
  })
  return [...new Set(muting)]
}

/** Sent by net itself (net.ts, warn), so no domain defines it. */
export const RESTART_WARNING: EventDef = {
  type: 'server_restart_warning',
  summary: 'The operator restarts the server soon; your state is saved. Connect again afterwards.',
  queue: 'system',
  fields: Type.Object({
    message: Type.String(),
    seconds_until_restart: Type.Integer(),
    target_version: Type.Optional(Type.String({ description: 'Release that starts then.' })),
  }),
}

/** Returns all events, sorted by name. */
export const sortedEvents = (sources: Pick<DocsSources, 'registry'>): EventDef[] =>
  [...publicEvents(sources.registry), RESTART_WARNING].sort((a, b) => (a.type < b.type ? -1 : 1))

/** Returns the row of a field; a type over several lines is shown below the table. */
function fieldRow(name: string, schema: TSchema, isRequired: boolean, named: NamedTypes) {
  const text = typeText(schema, named)
  const { description = '' } = schema as { description?: string }
  const isLong = text.includes('\n')
  const shown = isLong ? 'see below' : cell(boundsText(schema))
  const row = [code(name), shown, isRequired ? 'always' : 'may be absent', cell(description)]
  return { row, below: isLong ? `\`\`\`ts\n${name}: ${text}\n\`\`\`` : '' }
}

function eventPiece(event: EventDef): string {
  const required = new Set<string>(event.fields.required ?? [])
  const named: NamedTypes = new Map()
  const fields = Object.entries(event.fields.properties as Record<string, TSchema>).map(
    ([name, schema]) => fieldRow(name, schema, required.has(name), named),
  )
  const channels = channelsOf(event)
  const links = [...named.keys()].map((name) => `[${name}](types.md#${anchorOf(name)})`)
  return [
    `## ${event.type}`,
    sentence(event.summary),
    [
      `Category: ${code(event.queue)}`,
      channels.length > 0 ? `muted by ${channels.map(code).join(', ')}` : 'cannot be muted',
    ].join(' · '),
    fields.length > 0
      ? table(
          ['Field', 'Type', 'Present', 'Meaning'],
          fields.map(({ row }) => row),
        )
      : 'The payload is empty.',
    ...fields.flatMap(({ below }) => (below === '' ? [] : [below])),
    ...(links.length > 0 ? [`Types: ${links.join(', ')}.`] : []),
  ].join('\n\n')
}

const INTRO = [
  'Events are sent by the server without a request. On a [WebSocket](websocket.md#pushes) each is a',
  'frame `{type, payload}`, without a `request_id`. For [HTTP](http.md#notifications) and MCP it waits in',
  'the queue of the session as `{id, type, msg_type, data, timestamp}`: `type` is the category named',
  'here, `msg_type` the name of the event, `data` the payload. An event muted by a channel is not',
  'pushed while that channel is muted; queues are never muted.',
].join('\n')

export const EVENTS_PAGE: DocsPage = {
  name: 'events',
  title: 'Events',
  summary: 'Every event the server pushes or queues: when it comes, its fields, what mutes it.',
  pieces: (sources) => ['# Events', INTRO, ...sortedEvents(sources).map(eventPiece)],
}
