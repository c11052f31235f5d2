/**
 * Endpoints for operators and their tools: liveness, readiness, health and metrics.
 * Source: RELIABILITY 6, newer.md 3 (health).
 */
import { type Failure, fail } from '../../core/errors.ts'
import { bearsToken, metricsPage } from '../metrics.ts'
import type { Route } from '../router.ts'
import { isLoopback } from '../session/address.ts'
import type { Net } from '../session/types.ts'
import { respondFlat } from './answers.ts'
import { type Exchange, respondJson } from './exchange.ts'
import type { Health } from './health.ts'
import { isHostAllowed } from './host.ts'
import { ipOf } from './http.ts'

/** Headers of web pages and of proxies: not all proxies add X-Forwarded-For. */
const INDIRECT = ['origin', 'x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const

/**
 * Refuses requests that may not see the metrics: allowed are the bearer of the token and direct
 * requests from this machine. A request with an Origin (a web page), through a proxy, or for a
 * foreign Host (DNS rebinding) is not direct.
 */
export function metricsRefusal(net: Net, exchange: Exchange): Failure | undefined {
  const { config } = net
  if (bearsToken(exchange.header('authorization'), config.metricsToken)) return undefined
  if (!isHostAllowed(config, exchange.header('host')))
    return fail('forbidden', undefined, 'This Host is not allowed here; add it to ALLOWED_HOSTS.')
  const isDirect = INDIRECT.every((name) => exchange.header(name) === '')
  if (isDirect && isLoopback(ipOf(net, exchange))) return undefined
  return fail('unauthorized', undefined, METRICS_TOKEN_NEEDED)
}

const METRICS_TOKEN_NEEDED =
  'For operators only: send Authorization: Bearer with the METRICS_TOKEN of this server.'

const NO_TICKS = 'This process runs no ticks: ask the one that leads the world.'

export function operatorRoutes(net: Net, { report, readiness }: Health): Route[] {
  const health = (exchange: Exchange): void => respondJson(exchange, 200, report())
  return [
    {
      method: 'GET',
      path: '/livez',
      handle: (exchange) => respondJson(exchange, 200, { status: 'ok' }),
    },
    {
      method: 'GET',
      path: '/readyz',
      handle: (exchange) => {
        const body = readiness()
        respondJson(exchange, body.status === 'ready' ? 200 : 503, body)
      },
    },
    { method: 'GET', path: '/health', handle: health },
    { method: 'GET', path: '/healthz', handle: health },
    {
      method: 'GET',
      path: '/metrics',
      handle: async (exchange) => {
        const refusal = metricsRefusal(net, exchange)
        if (refusal) return respondFlat(net, exchange, refusal)
        const page = await metricsPage(net.metrics, exchange.query.getAll('name[]'))
        exchange.respond(200, { 'content-type': net.metrics.registry.contentType }, page)
      },
    },
    {
      method: 'GET',
      path: '/metrics/slow-ticks',
      handle: async (exchange) => {
        const refusal = metricsRefusal(net, exchange)
        if (refusal) return respondFlat(net, exchange, refusal)
        const report = await net.link.slowTicks()
        if (report) respondJson(exchange, 200, report)
        else if (net.link.isUp()) respondFlat(net, exchange, fail('not_ready', undefined, NO_TICKS))
        else respondFlat(net, exchange, fail('restarting'))
      },
    },
  ]
}
