/** Settings by command. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Outcome } from '../../../core/errors.ts'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let start: SmallWorld
let small: SmallWorld
let ada: Eid

beforeAll(async () => {
  start = await smallWorld({ players: 1 })
  ;[ada] = start.players
})

beforeEach(async () => {
  small = await start.reload()
})

const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? 'ok' : outcome.code)
const maskOf = (): number => small.world.read(Player).muteMask[ada]
const textOf = (column: 'statusMessage' | 'clanTag'): string =>
  small.world.texts.get(small.world.read(Player)[column][ada])
const masksSent = () =>
  small
    .takeEmissions()
    .filter((emission) => emission.type === 'internal:mask')
    .map((emission) => emission.payload.mask)

describe('muting', () => {
  it('mute_notifications and unmute_notifications change the mask, and send it to net', () => {
    const muted = small.ask(ada, 'mute_notifications', { channels: ['chat.system', 'support'] })
    expect(muted).toMatchObject({ result: { muted: ['chat.system', 'support'] } })
    expect(maskOf()).toBe(0b1000_0000_0001)
    small.ask(ada, 'mute_notifications', { channels: ['support'] })
    small.ask(ada, 'unmute_notifications', { channels: ['chat.system'] })
    expect(maskOf()).toBe(0b1000_0000_0000)
    expect(small.ask(ada, 'get_notification_settings')).toMatchObject({
      result: { muted: ['support'] },
    })
    small.ask(ada, 'unmute_notifications', { all: true })
    expect(maskOf()).toBe(0)
    expect(masksSent()).toEqual([0b1000_0000_0001, 0b1000_0000_0000, 0])
  })

  it('get_notification_settings lists every channel with its frames', () => {
    const outcome = small.ask(ada, 'get_notification_settings')
    const { channels } = (outcome as { result: { channels: { message_types: string[] }[] } }).result
    expect(channels).toHaveLength(12)
    expect(channels.every((channel) => channel.message_types.length > 0)).toBe(true)
  })

  it('refuses the whole call for one unknown name', () => {
    const channels = ['battle_ticker', 'nonsense']
    expect(codeOf(small.ask(ada, 'mute_notifications', { channels }))).toBe('unknown_channel')
    expect(codeOf(small.ask(ada, 'unmute_notifications', { all: true, channels }))).toBe(
      'unknown_channel',
    )
    expect(codeOf(small.ask(ada, 'unmute_notifications', {}))).toBe('invalid_payload')
    expect(maskOf()).toBe(0)
    expect(masksSent()).toEqual([])
  })
})

describe('set_status', () => {
  it('sets, keeps and clears its texts', () => {
    small.ask(ada, 'set_status', { status_message: ' Hauling. ', clan_tag: 'ORE' })
    expect([textOf('statusMessage'), textOf('clanTag')]).toEqual(['Hauling.', 'ORE'])
    small.ask(ada, 'set_status', { clan_tag: '' })
    expect([textOf('statusMessage'), textOf('clanTag')]).toEqual(['Hauling.', ''])
    small.ask(ada, 'set_status', { status_message: '' })
    expect(textOf('statusMessage')).toBe('')
  })

  it('refuses what is too long or breaks the rules, and then changes nothing', () => {
    const set = (params: object) => codeOf(small.ask(ada, 'set_status', params))
    expect(set({ status_message: 'x'.repeat(101) })).toBe('too_long')
    expect(set({ status_message: 'fine', clan_tag: 'LONGER' })).toBe('too_long')
    expect(set({ status_message: 'fine', clan_tag: 'A B' })).toBe('invalid_tag')
    expect(set({ status_message: 'a\u200bb' })).toBe('invalid_payload')
    expect(textOf('statusMessage')).toBe('')
  })
})

describe('set_colors', () => {
  const colors = () => {
    const { primaryColor, secondaryColor } = small.world.read(Player)
    return [primaryColor[ada], secondaryColor[ada]]
  }

  it('sets one colour or both, and prefers the field text', () => {
    small.ask(ada, 'set_colors', { primary_color: '#2A6FDB', secondary_color: 'f2b134' })
    expect(colors()).toEqual([0x2a6fdb, 0xf2b134])
    small.ask(ada, 'set_colors', { secondary_color: '#000001' })
    expect(colors()).toEqual([0x2a6fdb, 1])
    small.ask(ada, 'set_colors', { primary_color: '#ffffff', text: '#000002, 000003' })
    expect(colors()).toEqual([2, 3])
  })

  it('refuses other notations, and then changes nothing', () => {
    const before = colors()
    for (const params of [
      { primary_color: '#111111', secondary_color: 'blue' },
      { text: '#111111' },
      { text: '#111111,#222222,#333333' },
    ]) {
      expect(codeOf(small.ask(ada, 'set_colors', params))).toBe('invalid_color')
    }
    expect(colors()).toEqual(before)
  })
})
