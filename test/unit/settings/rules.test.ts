/** Mute masks and colours. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MUTE_CHANNELS } from '../../../core/event.ts'
import {
  ALL_MUTED,
  maskOfNames,
  namesOfMask,
  parseColor,
  tagRefusal,
} from '../../../systems/settings/model.ts'
import { CHANNEL_INFO } from '../../../systems/settings/rules.ts'

/** Source: social.md section 6, never mutable. */
const NEVER_MUTED = [
  'ok',
  'error',
  'result',
  'welcome',
  'registered',
  'logged_in',
  'action_result',
  'action_error',
  'scan_result',
  'player_died',
  'player_kill',
  'reconnected',
  'trade_fill',
  'gift_received',
  'prize_update',
  'personnel_update',
  'arena_challenge',
  'arena_objective',
  'ship_captured',
  'server_restart_warning',
  'market_update',
  'observation_update',
]

describe('mute masks', () => {
  it('name the channels they were made of', () => {
    fc.assert(
      fc.property(fc.subarray([...MUTE_CHANNELS]), (names) => {
        const mask = maskOfNames(names)
        expect(mask.ok && namesOfMask(mask.result)).toEqual(names)
      }),
    )
    expect(namesOfMask(ALL_MUTED)).toEqual([...MUTE_CHANNELS])
  })

  it('refuse all names for one that is unknown', () => {
    expect(maskOfNames(['battle_ticker', 'battles'])).toMatchObject({
      code: 'unknown_channel',
      details: { channel: 'battles' },
    })
  })

  it('never cover a frame type that cannot be muted', () => {
    const covered = MUTE_CHANNELS.flatMap((channel) => CHANNEL_INFO[channel].messageTypes)
    expect(covered.filter((type) => NEVER_MUTED.includes(type))).toEqual([])
  })
})

describe('colours and tags', () => {
  it('read #RRGGBB and RRGGBB in either case', () => {
    expect(parseColor('#2a6FdB', 'x')).toEqual({ ok: true, result: 0x2a6fdb })
    expect(parseColor(' 000000 ', 'x')).toEqual({ ok: true, result: 0 })
  })

  it.each(['', '#12345', '#1234567', 'red', '#12345g', '##123456'])('refuse %j', (text) => {
    expect(parseColor(text, 'x')).toMatchObject({ code: 'invalid_color' })
  })

  it('allow a tag without white space, or none', () => {
    expect(tagRefusal('ORE')).toBeUndefined()
    expect(tagRefusal('')).toBeUndefined()
    const message = 'A clan tag has no spaces or line breaks.'
    expect(tagRefusal('A B')).toMatchObject({ code: 'invalid_tag', message })
    expect(tagRefusal('A\nB')).toMatchObject({ code: 'invalid_tag' })
  })
})
