/** GET /events: the public feed as an event stream. Source: WEB 2. */
import { type Failure, fail } from '../../core/errors.ts'
import { FEED_RETRY_MS } from '../../core/limits.ts'
import { parseTopics, TOPICS_MAX, type Topic } from '../../core/public/topics.ts'
import { respondFlat } from '../http/answers.ts'
import type { Exchange, Headers } from '../http/exchange.ts'
import { ipOf } from '../http/http.ts'
import { metricsRefusal } from '../http/operator-routes.ts'
import type { Route } from '../router.ts'
import { addressRefusal, limited } from '../session/limited.ts'
import type { Net } from '../session/types.ts'
import type { Feed, Refused } from './feed.ts'
import { parseId } from './ring.ts'
import { refuse } from './routes.ts'

const STREAM: Headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Without this, proxies buffer the stream.
  'x-accel-buffering': 'no',
}

/** Seconds after which a refused reader may retry: others may have left by then. */
const RETRY_SECONDS = Math.ceil(FEED_RETRY_MS / 1000)

const FAILURES: Readonly<Record<Refused, () => Failure>> = {
  no_topic: () =>
    fail('not_found', undefined, 'A topic names nothing that is public: check its ids.'),
  too_many: () => limited('watchers', RETRY_SECONDS),
  too_many_topics: () => limited('topics', RETRY_SECONDS),
  closed: () => fail('restarting'),
}

const UNKNOWN_TOPIC = `topics must be up to ${TOPICS_MAX} of feed, map, market, ops, system:<id>, item:<station>/<item> and battle:<id>, separated by commas.`

/** Returns the requested topics, or why they are refused. */
function topicsOf(net: Net, exchange: Exchange): ReadonlyMap<string, Topic> | Failure {
  const topics = parseTopics(exchange.query.get('topics') ?? 'feed')
  if (!topics) return fail('invalid_payload', undefined, UNKNOWN_TOPIC)
  const isEarly = [...topics.values()].some(({ name }) => !TIMELESS.has(name))
  if (isEarly && !net.frames.state()) return fail('not_ready')
  return (topics.has('ops') ? metricsRefusal(net, exchange) : undefined) ?? topics
}

/** Topics that exist before a frame is public. */
const TIMELESS: ReadonlySet<Topic['name']> = new Set(['feed', 'ops'])

const isRefused = (topics: ReadonlyMap<string, Topic> | Failure): topics is Failure =>
  'code' in topics

/** Returns the route of the public feed. */
export function feedRoute(net: Net, feed: Feed): Route {
  return {
    method: 'GET',
    path: '/events',
    handle: (exchange) => {
      const address = ipOf(net, exchange)
      const limitFailure = addressRefusal(net.gate, 'page', address)
      if (limitFailure) return respondFlat(net, exchange, limitFailure)
      const topics = topicsOf(net, exchange)
      if (isRefused(topics)) return respondFlat(net, exchange, topics)
      if (exchange.method === 'HEAD') return exchange.stream(200, STREAM).end()
      const id = exchange.header('last-event-id') || exchange.query.get('after') || ''
      const after = parseId(id)
      const refused = feed.join({
        address,
        topics,
        ...(after ? { after } : {}),
        open: () => exchange.stream(200, STREAM),
        cutOff: () => exchange.cutOff(),
        onGone: (handler) => exchange.onAborted(handler),
      })
      if (refused) refuse(net, exchange, FAILURES[refused]())
    },
  }
}
