/** Roles of processes, and the settings that each of them requires. */
import { expect, test } from 'vitest'
import { loadConfig } from '../../../config.ts'

const SHARED = { DATABASE_URL: 'postgres://db/orrery', BUS_URL: 'nats://bus:4222' }

test('a server runs all roles by default', () => {
  expect(loadConfig({}, [])).toMatchObject({ role: 'all', busUrl: undefined })
  expect(loadConfig({ ...SHARED, ROLE: 'gateway' }, [])).toMatchObject({
    role: 'gateway',
    busUrl: SHARED.BUS_URL,
  })
})

test('loading fails for a role without its settings, and for a bus that is not used', () => {
  expect(() => loadConfig({ ROLE: 'world' }, [])).toThrow(
    'ROLE=world cannot be used without BUS_URL and DATABASE_URL.',
  )
  expect(() => loadConfig({ ...SHARED, ROLE: 'gateway', DATABASE_URL: '' }, [])).toThrow(
    'ROLE=gateway cannot be used without DATABASE_URL.',
  )
  expect(() => loadConfig(SHARED, [])).toThrow('BUS_URL is of no use to ROLE=all')
  expect(() => loadConfig({ ROLE: 'leader' }, [])).toThrow(
    'must be one of all, world, gateway, standby',
  )
})

const busUrl = (url: string) => loadConfig({ ...SHARED, ROLE: 'gateway', BUS_URL: url }, []).busUrl

test.each([
  'nats://bus:4222',
  'bus',
  'bus:4222, nats.example.com',
  'tls://orrery:3%2Fa@bus:4222,tls://orrery:3%2Fa@other:4222',
  'nats://t0ken@[::1]:4222',
])('BUS_URL may be %s', (url) => {
  expect(busUrl(url)).toBe(url)
})

test.each([
  'http://bus:4222',
  'nats://',
  'nats://orrery:a/b@bus',
  'nats://a:50%@bus',
  'bus,,bus',
  ' ',
])('a BUS_URL of %j is refused, and not shown', (url) => {
  expect(() => busUrl(url)).toThrow(
    /^BUS_URL cannot be used: it must be nats:\/\/ or tls:\/\/ URLs/,
  )
})

test('STANDBY=on is accepted for a gateway only', () => {
  const config = (role: string) => loadConfig({ ...SHARED, ROLE: role, STANDBY: 'on' }, [])
  expect(config('gateway').standsBy).toBe(true)
  expect(() => config('world')).toThrow(
    'STANDBY=on is of no use to ROLE=world: it is for ROLE=gateway',
  )
  expect(() => loadConfig({ STANDBY: 'on' }, [])).toThrow('STANDBY=on is of no use to ROLE=all')
  expect(loadConfig({ ...SHARED, ROLE: 'gateway' }, []).standsBy).toBe(false)
})
