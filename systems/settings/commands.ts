/** Settings of a player: muted notification channels, status line, clan tag, colours. */
import { immediate, query } from '../../core/command.ts'
import { fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { MUTE_CHANNELS } from '../../core/event.ts'
import {
  CLAN_TAG_CHARACTERS_MAX,
  MUTE_NAMES_MAX,
  STATUS_CHARACTERS_MAX,
  TEXT_CHARACTERS_MAX,
} from '../../core/limits.ts'
import {
  bool,
  bools,
  list,
  NO_PARAMS,
  obj,
  optional,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { cleanText } from '../../core/text-rules.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { markAppearance } from '../sensing/model.ts'
import { ALL_MUTED, maskOfNames, namesOfMask, parseColor, tagRefusal } from './model.ts'
import { CHANNEL_INFO, notifyMask } from './rules.ts'

/* Notification channels */

const settingsSchema = obj({
  ...strings('action', 'message'),
  muted: list(Type.String()),
  channels: list(
    obj({
      ...strings('channel', 'description'),
      message_types: list(Type.String()),
      ...bools('muted'),
    }),
  ),
})

const channelNames = () =>
  Type.Array(str('Name of a channel.', { min: 1, max: 64, example: 'battle_ticker' }), {
    description: `Channels: ${MUTE_CHANNELS.join(', ')}.`,
    minItems: 1,
    maxItems: MUTE_NAMES_MAX,
    examples: [['battle_ticker']],
  })

function renderSettings(view: WorldView, player: Eid, action: string) {
  const muted = namesOfMask(view.read(Player).muteMask[player])
  return {
    action,
    message:
      muted.length === 0 ? 'No channel is muted.' : `Muted on WebSockets: ${muted.join(', ')}.`,
    muted,
    channels: MUTE_CHANNELS.map((channel) => ({
      channel,
      description: CHANNEL_INFO[channel].description,
      message_types: [...CHANNEL_INFO[channel].messageTypes],
      muted: muted.includes(channel),
    })),
  }
}

function setMuteMask(world: World, player: Eid, mask: number): void {
  if (world.read(Player).muteMask[player] === mask) return
  world.write(Player).muteMask[player] = mask
  notifyMask(world, player)
}

export const getNotificationSettings = query({
  name: 'get_notification_settings',
  v2: { tool: 'game_social', action: 'get_notification_settings' },
  summary: 'Lists the notification channels and which of them you have muted.',
  category: 'settings',
  params: NO_PARAMS,
  result: settingsSchema,
  needs: [],
  errors: [],
  run: (view, player) => ok(renderSettings(view, player, 'get_notification_settings')),
})

export const muteNotifications = immediate({
  name: 'mute_notifications',
  v2: { tool: 'game_social', action: 'mute_notifications' },
  summary: 'Mutes notification channels on your WebSockets; the HTTP and MCP queue still gets all.',
  category: 'settings',
  params: obj({ channels: channelNames() }),
  result: settingsSchema,
  needs: [],
  errors: ['unknown_channel'],
  run(world, player, { channels }) {
    const mask = maskOfNames(channels)
    if (!mask.ok) return mask
    setMuteMask(world, player, world.read(Player).muteMask[player] | mask.result)
    return ok(renderSettings(world, player, 'mute_notifications'))
  },
})

export const unmuteNotifications = immediate({
  name: 'unmute_notifications',
  v2: { tool: 'game_social', action: 'unmute_notifications' },
  summary: 'Unmutes the notification channels you name, or with `all` every one.',
  category: 'settings',
  params: obj({
    all: optional(bool('True unmutes every channel.')),
    channels: optional(channelNames()),
  }),
  result: settingsSchema,
  needs: [],
  errors: ['unknown_channel', 'invalid_payload'],
  run(world, player, { all, channels }) {
    if (!all && !channels) {
      return invalidFields({ field: 'channels', expected: 'channel names, or all: true' })
    }
    const named = maskOfNames(channels ?? [])
    if (!named.ok) return named
    const mask = all ? ALL_MUTED : named.result
    setMuteMask(world, player, world.read(Player).muteMask[player] & ~mask)
    return ok(renderSettings(world, player, 'unmute_notifications'))
  },
})

/* How others see the player */

const doneSchema = obj(strings('action'))

export const setStatus = immediate({
  name: 'set_status',
  v2: { tool: 'game_social', action: 'set_status', rename: { status_message: 'content' } },
  summary: 'Sets the status line and clan tag that others see; empty clears, absent keeps.',
  category: 'settings',
  params: obj({
    status_message: optional(
      str(`At most ${STATUS_CHARACTERS_MAX} characters.`, {
        max: TEXT_CHARACTERS_MAX,
        example: 'Hauling ore, not looking for trouble.',
      }),
    ),
    clan_tag: optional(
      str(`At most ${CLAN_TAG_CHARACTERS_MAX} characters, no spaces.`, {
        max: TEXT_CHARACTERS_MAX,
        example: 'ORE',
      }),
    ),
  }),
  result: doneSchema,
  needs: [],
  errors: ['too_long', 'invalid_tag', 'invalid_payload'],
  run(world, player, { status_message, clan_tag }) {
    const status = cleanOptional(status_message, 'status_message', STATUS_CHARACTERS_MAX)
    if (!status.ok) return status
    const tag = cleanOptional(clan_tag, 'clan_tag', CLAN_TAG_CHARACTERS_MAX)
    if (!tag.ok) return tag
    const refused = tagRefusal(tag.result ?? '')
    if (refused) return refused
    if (status.result !== undefined) world.setText(Player, 'statusMessage', player, status.result)
    if (tag.result !== undefined) world.setText(Player, 'clanTag', player, tag.result)
    markAppearance(world, player)
    return ok({ action: 'set_status' })
  },
})

function cleanOptional(
  value: string | undefined,
  field: string,
  max: number,
): Outcome<string | undefined, 'invalid_payload' | 'too_long'> {
  if (value === undefined) return ok(undefined)
  return cleanText(value, { max, unit: 'codepoints', field, mayBeEmpty: true })
}

interface Colors {
  readonly primary: number | undefined
  readonly secondary: number | undefined
}

export const setColors = immediate({
  name: 'set_colors',
  v2: { tool: 'game_social', action: 'set_colors', rename: { text: 'content' } },
  summary: say`Sets your colours; {set_colors.text} sets both, as "#2A6FDB,#F2B134".`,
  category: 'settings',
  params: obj({
    primary_color: optional(str('#RRGGBB or RRGGBB.', { example: '#2A6FDB' })),
    secondary_color: optional(str('#RRGGBB or RRGGBB.', { example: '#F2B134' })),
    text: optional(
      str('Both colours, separated by a comma; overrides the other two.', {
        example: '#2A6FDB,#F2B134',
      }),
    ),
  }),
  result: doneSchema,
  needs: [],
  errors: ['invalid_color'],
  run(world, player, params) {
    const requested = requestedColors(params)
    if (!requested.ok) return requested
    const { primary, secondary } = requested.result
    if (primary !== undefined) world.write(Player).primaryColor[player] = primary
    if (secondary !== undefined) world.write(Player).secondaryColor[player] = secondary
    markAppearance(world, player)
    return ok({ action: 'set_colors' })
  },
})

function requestedColors(params: {
  primary_color?: string
  secondary_color?: string
  text?: string
}): Outcome<Colors, 'invalid_color'> {
  let { primary_color: first, secondary_color: second } = params
  if (params.text !== undefined) {
    const parts = params.text.split(',')
    if (parts.length !== 2) return fail('invalid_color', { field: 'text', value: params.text })
    ;[first, second] = parts
  }
  const primary = first === undefined ? ok(undefined) : parseColor(first, 'primary_color')
  if (!primary.ok) return primary
  const secondary = second === undefined ? ok(undefined) : parseColor(second, 'secondary_color')
  if (!secondary.ok) return secondary
  return ok({ primary: primary.result, secondary: secondary.result })
}
