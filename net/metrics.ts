/**
 * What the server counts, in prom-client's registry; /metrics prints it to loopback or to a bearer
 * of the token.
 */
import { timingSafeEqual } from 'node:crypto'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { isLoopback } from './address.ts'

export interface Metrics {
  readonly registry: Registry
  readonly commands: Counter<'channel'>
  readonly errors: Counter<'code'>
  readonly logins: Counter<'channel'>
  readonly closes: Counter<'code'>
  readonly requests: Counter<'status'>
  readonly batches: Counter
  readonly frames: Counter
  /** Values the world reports, by name. */
  readonly world: Gauge<'name'>
}

/** `gauges` are read when the page is asked for. */
export function createMetrics(gauges: Readonly<Record<string, () => number>>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const [name, read] of Object.entries(gauges)) {
    new Gauge({
      name: `orrery_${name}`,
      help: name.replaceAll('_', ' '),
      registers,
      collect() {
        this.set(read())
      },
    })
  }
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter<L>({ name: `orrery_${name}`, help, labelNames: [...labelNames], registers })
  return {
    registry,
    commands: counter('commands_total', 'commands received', ['channel']),
    errors: counter('refusals_total', 'refusals answered', ['code']),
    logins: counter('logins_total', 'logins', ['channel']),
    closes: counter('socket_closes_total', 'sockets closed by the server', ['code']),
    requests: counter('http_responses_total', 'HTTP responses', ['status']),
    batches: counter('batches_total', 'batches published', []),
    frames: counter('frames_out_total', 'frames handed to sockets', []),
    world: new Gauge({
      name: 'orrery_world',
      help: 'figures the world thread reports',
      labelNames: ['name'],
      registers,
    }),
  }
}

/** Loopback, or the bearer of the token. */
export function mayReadMetrics(ip: string, authorization: string, token?: string): boolean {
  if (token === undefined || token === '') return isLoopback(ip)
  const given = Buffer.from(authorization)
  const wanted = Buffer.from(`Bearer ${token}`)
  return (given.length === wanted.length && timingSafeEqual(given, wanted)) || isLoopback(ip)
}
