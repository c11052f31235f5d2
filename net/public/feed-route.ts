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
  // Proxies would hold it until a buffer is full.
  'x-accel-buffering': 'no',
}

/** Seconds after which a refused reader may ask again: somebody may have left. */
const AGAIN_SECONDS = Math.ceil(FEED_RETRY_MS / 1000)

const FAILURES: Readonly<Record<Refused, () => Failure>> = {
  no_topic: () => fail('not_found', undefined, 'A topic names nothing that strangers may watch.'),
  too_many: () => limited('watchers', AGAIN_SECONDS),
  too_many_topics: () => limited('topics', AGAIN_SECONDS),
  closed: () => fail('restarting'),
}

const UNKNOWN_TOPIC = `topics: up to ${TOPICS_MAX} with commas of feed, map, market, ops, system:<id>, item:<station>/<item>, battle:<id>.`

/** Returns the topics asked for, or why they are refused. */
function topicsOf(net: Net, exchange: Exchange): ReadonlyMap<string, Topic> | Failure {
  const topics = parseTopics(exchange.query.get('topics') ?? 'feed')
  if (!topics) return fail('invalid_payload', undefined, UNKNOWN_TOPIC)
  const isEarly = [...topics.values()].some(({ name }) => !TIMELESS.has(name))
  if (isEarly && !net.frames.state()) return fail('not_ready')
  return (topics.has('ops') ? metricsRefusal(net, exchange) : undefined) ?? topics
}

/** Topics that there are before anything is public. */
const TIMELESS: ReadonlySet<Topic['name']> = new Set(['feed', 'ops'])

const isRefused = (topics: ReadonlyMap<string, Topic> | Failure): topics is Failure =>
  'code' in topics

export function feedRoute(net: Net, feed: Feed): Route {
  return {
    method: 'GET',
    path: '/events',
    handle: (exchange) => {
      const address = ipOf(net, exchange)
      const over = addressRefusal(net.gate, 'page', address)
      if (over) return respondFlat(net, exchange, over)
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
