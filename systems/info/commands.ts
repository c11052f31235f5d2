/**
 * Commands that are about the registry or a session and so run on the main thread: help, the list
 * of commands, the notification queue. Net implements them by name.
 */
import { session } from '../../core/command.ts'
import { NOTIFICATIONS_MAX } from '../../core/limits.ts'
import {
  bool,
  bools,
  int,
  ints,
  list,
  NO_PARAMS,
  obj,
  opt,
  optional,
  str,
  strings,
  Type,
} from '../../core/params.ts'

const commandInfo = {
  ...strings('name', 'description', 'format', 'category'),
  ...bools('is_mutation', 'requires_auth'),
}

export const help = session({
  name: 'help',
  v2: { tool: 'game', action: 'help' },
  summary: 'Explains a command, a category, or whatever matches the words given.',
  category: 'info',
  open: true,
  params: obj({
    topic: optional(str('Command, category or words to search for.', { example: 'mine' })),
  }),
  result: obj({
    ...strings('description'),
    ...opt({
      ...strings('topic'),
      commands: list(
        obj({
          ...commandInfo,
          ...opt({
            ...strings('notes'),
            params: list(
              obj({
                ...strings('name', 'type'),
                ...bools('required'),
                ...opt(strings('description')),
              }),
            ),
          }),
        }),
      ),
    }),
  }),
  errors: ['topic_not_found'],
})

/** v1: the flat list. */
export const getCommands = session({
  name: 'get_commands',
  summary: 'Lists every command.',
  category: 'info',
  open: true,
  params: NO_PARAMS,
  result: obj({ commands: list(obj({ ...commandInfo, ...strings('notes') })) }),
  errors: [],
})

/** v2: every tool and action. Source: social.md section 9. */
export const getActions = session({
  name: 'get_commands',
  v1: false,
  v2: { tool: 'game', action: 'get_commands' },
  summary: 'Lists every action of every tool.',
  category: 'info',
  open: true,
  params: NO_PARAMS,
  result: obj({
    actions: list(
      obj({ ...strings('tool', 'action', 'endpoint'), ...opt(strings('description', 'v1_name')) }),
    ),
  }),
  errors: [],
})

const QUEUE_TYPES = [
  'chat',
  'combat',
  'trade',
  'market',
  'observation',
  'crafting',
  'faction',
  'system',
]

export const getNotifications = session({
  name: 'get_notifications',
  v2: { tool: 'game', action: 'get_notifications' },
  summary: 'Takes what has happened since the last call, oldest first; HTTP and MCP only.',
  category: 'info',
  params: obj({
    clear: optional(bool('False leaves what is shown in the queue.')),
    limit: optional(
      int(`Notifications wanted, at most ${NOTIFICATIONS_MAX}; 50 unless said.`, {
        min: 1,
        max: NOTIFICATIONS_MAX,
        example: 50,
      }),
    ),
    types: optional(
      Type.Array(str('A type.', { min: 1, max: 64, example: 'chat' }), {
        description: `Only these types; others stay queued: ${QUEUE_TYPES.join(', ')}.`,
        maxItems: 16,
        examples: [['chat']],
      }),
    ),
  }),
  result: obj({
    ...ints('count', 'remaining', 'current_tick', 'timestamp'),
    notifications: list(
      obj({
        ...strings('id', 'type', 'msg_type', 'timestamp'),
        data: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
    // Of the contract: a client that asks too often. No reading is put off here.
    ...opt({ ...bools('throttled'), ...ints('retry_after') }),
    ...opt({ ...ints('dropped'), ...strings('message') }),
  }),
  errors: ['not_available_on_websocket'],
})
