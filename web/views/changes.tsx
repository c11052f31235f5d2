/** The changelog of the server, by release. */
import type { ChangelogBody } from '../../core/public/past.ts'
import { useBody } from '../api.ts'
import { Pager, pageIn } from '../parts/pager.tsx'
import { Stateful } from '../parts/state.tsx'
import { AsJson } from '../parts/table.tsx'
import { Chip } from '../parts/tabs.tsx'
import { hrefOf, query } from '../router.ts'

export function ChangesView() {
  const page = pageIn(query.value.page, 1)
  const path = hrefOf('/api/changelog', { page: page > 1 ? String(page) : undefined })
  const body = useBody<ChangelogBody>(path, 'H')
  return (
    <div class="view reading">
      <header>
        <h1>Changes</h1>
        {body.value.data && (
          <span class="muted">this server runs {body.value.data.current_version}</span>
        )}
        <AsJson path={path} />
      </header>
      <Stateful
        path={path}
        body={body}
        isEmpty={({ releases }) => releases.length === 0}
        empty="No releases yet."
      >
        {({ releases, total_pages, current_version }) => (
          <>
            {releases.map(({ version, release_date, notes }) => (
              <section key={version} class="release">
                <h2>
                  {version} {version === current_version && <Chip tone="good">runs here</Chip>}{' '}
                  <time class="muted" dateTime={release_date}>
                    {release_date.slice(0, 10)}
                  </time>
                </h2>
                <ul class="notes">
                  {notes.map((note) => (
                    <li key={note} class="words">
                      <Note text={note} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <Pager page={page} pages={total_pages} first={1} />
          </>
        )}
      </Stateful>
    </div>
  )
}

/** Shows a note, with text in backticks as code. */
function Note({ text }: { readonly text: string }) {
  const parts = text.split('`')
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? <code key={`${index} ${part}`}>{part}</code> : part,
      )}
    </>
  )
}
