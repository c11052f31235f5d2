/** The forum, read-only: threads with filters, and a thread as plain text without links. */

import { useMemo } from 'preact/hooks'
import type { ForumBody, ThreadBody } from '../../core/public/past.ts'
import { useBody } from '../api.ts'
import { factionHref, threadHref } from '../hrefs.ts'
import { plural } from '../parts/format.ts'
import { PlayerLink } from '../parts/link.tsx'
import { useListKeys } from '../parts/list-keys.ts'
import { Pager, pageIn } from '../parts/pager.tsx'
import { Empty, Stateful } from '../parts/state.tsx'
import { AsJson } from '../parts/table.tsx'
import { Chip, QueryTabs } from '../parts/tabs.tsx'
import { When } from '../parts/time.tsx'
import { changeQuery, go, hrefOf, query } from '../router.ts'
import type { ViewProps } from '../view-rows.ts'

const SORTS = [
  { value: 'newest', title: 'Newest' },
  { value: 'hot', title: 'Hot' },
  { value: 'most_replies', title: 'Most replies' },
  { value: 'most_upvotes', title: 'Most upvotes' },
]
/** Replies on each page of a thread. */
const REPLIES_A_PAGE = 500
const FILTERS = ['page', 'category', 'search', 'sort_by', 'author', 'faction_tag', 'dev_only']

export function ForumView({ params }: ViewProps) {
  return params.id === undefined ? <Threads /> : <Thread id={params.id} />
}

/** Returns the address of the API for the filters of the page. */
const pathOf = (given: Readonly<Record<string, string>>): string =>
  hrefOf('/api/forum', Object.fromEntries(FILTERS.map((name) => [name, given[name]])))

function Threads() {
  useListKeys()
  const path = pathOf(query.value)
  const body = useBody<ForumBody>(path, 'M')
  return (
    <div class="view">
      <header>
        <h1>Forum</h1>
        {body.value.data && <span class="muted">{plural(body.value.data.total, 'thread')}</span>}
        <AsJson path={path} />
      </header>
      <Filters />
      <Stateful
        path={path}
        body={body}
        isEmpty={({ total }) => total === 0}
        empty="No threads match these filters. Players write threads with forum_create_thread."
      >
        {({ threads, total_pages }) => (
          <>
            {threads.length === 0 && <Empty>No thread is on this page.</Empty>}
            <ul class="list tall">
              {threads.map((thread) => (
                <ThreadRow key={thread.id} thread={thread} />
              ))}
            </ul>
            <Pager page={pageIn(query.value.page, 0)} pages={total_pages} first={0} />
          </>
        )}
      </Stateful>
    </div>
  )
}

function Filters() {
  const { search = '', category, author, faction_tag } = query.value
  const held = { category, author, faction_tag }
  return (
    <>
      <QueryTabs name="sort_by" label="Order of the threads" choices={SORTS} />
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          const text = new FormData(event.currentTarget).get('search')
          changeQuery({ search: String(text) || undefined, page: undefined }, 'push')
        }}
      >
        <input
          type="search"
          name="search"
          key={search}
          defaultValue={search}
          aria-label="Search the forum"
          placeholder="Search threads"
        />
        <button type="submit">Search</button>
        <label class="check">
          <input
            type="checkbox"
            checked={query.value.dev_only === 'true'}
            onChange={(event) =>
              changeQuery(
                { dev_only: event.currentTarget.checked ? 'true' : undefined, page: undefined },
                'push',
              )
            }
          />
          By developers only
        </label>
        {Object.entries(held).map(
          ([name, value]) =>
            value && (
              <button
                key={name}
                type="button"
                title="Remove this filter"
                onClick={() => changeQuery({ [name]: undefined, page: undefined }, 'push')}
              >
                {name.replaceAll('_', ' ')}: {value} ✕
              </button>
            ),
        )}
      </form>
    </>
  )
}

function ThreadRow({ thread }: { readonly thread: ForumBody['threads'][number] }) {
  const { id, title, author, author_faction_tag: tag, category, pinned, is_dev_team } = thread
  return (
    <li>
      <span>
        {pinned && <Chip tone="info">pinned</Chip>}{' '}
        <a data-row href={threadHref(id)}>
          <bdi class="name">{title}</bdi>
        </a>
        <br />
        <span class="muted">
          <bdi class="name">{author}</bdi>
          {tag && <bdi class="mono"> {tag}</bdi>}
          {is_dev_team && ' (developer)'} in <a href={hrefOf('/forum', { category })}>{category}</a>
          , <When at={thread.created_at} />
        </span>
      </span>
      <span class="end muted">
        {plural(thread.reply_count, 'reply', 'replies')}
        <br />
        {plural(thread.upvotes, 'upvote')}
      </span>
    </li>
  )
}

function Thread({ id }: { readonly id: string }) {
  const back = useMemo(
    () => [{ key: 'u', about: 'back to the threads', run: () => go('/forum') }],
    [],
  )
  useListKeys(back)
  const page = pageIn(query.value.page, 0)
  const path = hrefOf(`/api/forum/thread/${encodeURIComponent(id)}`, {
    page: page > 0 ? String(page) : undefined,
  })
  const body = useBody<ThreadBody>(path, 'M')
  return (
    <article class="view reading">
      <p>
        <a href="/forum">All threads</a>
      </p>
      <Stateful path={path} body={body} gone="No thread has this id; it may have been deleted.">
        {({ thread }) => (
          <>
            <header>
              <h1>
                <bdi class="name">{thread.title}</bdi>
              </h1>
              {thread.pinned && <Chip tone="info">pinned</Chip>}
              <AsJson path={path} />
            </header>
            <Post {...thread} />
            <h2>{plural(thread.reply_count, 'reply', 'replies')}</h2>
            {thread.replies.map((reply, index) => (
              // Replies have no ids and are only ever appended.
              <Post key={index} {...reply} />
            ))}
            <Pager page={page} pages={Math.ceil(thread.reply_count / REPLIES_A_PAGE)} first={0} />
          </>
        )}
      </Stateful>
    </article>
  )
}

interface PostProps {
  readonly author: string
  readonly author_faction_tag?: string
  readonly content: string
  readonly created_at: string
  readonly is_dev_team?: boolean
  readonly upvotes: number
}

function Post(props: PostProps) {
  const { author, author_faction_tag: tag, content, created_at, is_dev_team, upvotes } = props
  return (
    <section class="panel post" data-row tabIndex={-1}>
      <p class="muted">
        <PlayerLink name={author} />
        {tag && (
          <>
            {' '}
            <a class="mono" href={factionHref(tag)}>
              {tag}
            </a>
          </>
        )}{' '}
        {is_dev_team && <Chip tone="info">developer</Chip>} <When at={created_at} />
        {upvotes > 0 && `, ${plural(upvotes, 'upvote')}`}
      </p>
      <p class="words">{content}</p>
    </section>
  )
}
