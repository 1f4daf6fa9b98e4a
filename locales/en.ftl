# Words of the interface: English. Keys in the order of zh-CN.ftl.

skip-to-content = Skip to content
main-menu = Main
home = Home
motto = Read slowly. Write plainly.
theme = Theme
theme-light = Light
theme-dark = Dark
theme-system = System
sidebar = Sidebar

date = { $day } { month-name } { $year }
month = { month-name } { $year }
month-name = { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
}
year = { $year }

newest-posts = Newest posts
posts-count = { $n ->
    [one] { $shown } post
   *[other] { $shown } posts
}
no-posts = No posts yet.
minutes = { $shown } min
views-count = { $n ->
    [one] { $shown } view
   *[other] { $shown } views
}
likes-count = { $n ->
    [one] { $shown } like
   *[other] { $shown } likes
}
comments-count = { $n ->
    [one] { $shown } comment
   *[other] { $shown } comments
}
pages = Pages
newer = Newer
older = Older
tags = Tags
all-tags = All tags
no-tags = No tags yet. The tags of posts gather here as posts are published.
categories = Categories
all-categories = All categories
no-categories = No categories yet. Once the site is divided into categories, they are listed here.
archive = Archive
archive-since = since { $name }
no-archive = No posts yet. Once there are some, they stand here by month.
by-year = By year
months-of = Months of { $name }
neighbour-months = Next and previous month
joined = Joined { $name }

contents = Contents
body-missing-note = The text cannot be reached just now; this is its summary. Please come back in a while.
neighbours = Previous and next post
newer-post = Previous
older-post = Next
related-posts = Related posts

comments = Comments
best-comments = Best comments
newest-comments = Newest comments
no-comments = Nobody has said anything yet. A question that the author left open is the best start.
all-comments-link = { $n ->
    [one] See the comment
   *[other] See all { $shown } comments
}
comment-by = Comment by { $name }
post-author = Author
guest = Guest
answers-a-comment = ↳ answers another comment
read-on = Read on
reply = Reply
replies-count = { $n ->
    [one] { $shown } reply
   *[other] { $shown } replies
}
first-replies = First { $shown } replies
thread-goes-on = Go on reading this thread ({ $shown })
whole-thread = See the whole thread
back-to-post = Back to the post
order = Order
newest-first = Newest
oldest-first = Oldest
previous-page = Previous page
next-page = Next page

comment-write = Write a comment
reply-to = Reply to { $name }
comment-form-hint = Fields marked “required” must be filled in. Your e-mail address is never shown.
name-label = Name (required)
email-label = E-mail
website-label = Website
body-label = Comment (required)
body-hint = Markdown works. At most 5000 characters.
leave-empty = Leave this empty
send-comment = Send comment
mistake = Mistake
not-sent-yet = Not sent yet. Please change this:
name-missing = Please give a name.
name-too-long = The name is too long: at most 80 characters.
email-odd = This does not look like an e-mail address. You may leave it out.
website-odd = A website starts with http:// or https://. You may leave it out.
website-too-long = The website is too long: at most 200 characters.
email-too-long = The e-mail address is too long: at most 254 characters.
body-missing = The comment is still empty.
body-too-long = The comment is too long: at most 5000 characters.
body-too-complex = The formatting of this comment is too complex. Please simplify it.
comment-by-machine = A field that must stay empty was filled in. If you are not a program, clear it and send again.
comments-closed = This post takes no more comments.
parent-gone = The comment you answer is gone. You can comment on the post instead.

sign-in = Sign in
sign-up = Sign up
sign-out = Sign out
write = Write
drafts = Drafts
settings = Settings
my-menu = My menu
login-label = E-mail or user name
password-label = Password
signin-wrong = The user name, e-mail address or password is wrong.
no-account-yet = No account yet?
kept-text = What you wrote
kept-stale = This form is out of date
kept-stale-advice = It does not come from a page of your present session, so nothing was stored. Here is what you wrote: reload the page it stood on, paste it there and send it again.
kept-signed-out = You are signed out
kept-signed-out-advice = Your session ended while you were writing, so nothing was stored. Here is what you wrote: copy it, sign in, and paste it there.

error-400 = This request makes no sense to us
error-400-advice = The address or the form is incomplete. Go back and try again.
error-403 = This request was refused
error-403-advice = The form was not sent from a page of this site. Go back to the post and send it again; your browser still has what you wrote.
error-forbidden = You may not do this
error-forbidden-advice = Your account has no right to. If you think it should, ask whoever runs this site.
error-404 = There is no such page
error-404-advice = The address may be misspelt, or the author has deleted the post.
error-405 = This does not work here
error-405-advice = This address does not take such requests.
error-413 = This is too large
error-413-advice = What you sent is over the limit. Go back, shorten it, and send it again.
error-500 = Something went wrong on our side
error-500-advice = Nothing you wrote was lost: go back and your browser will still have it. The fault was written down.
error-503 = Not reachable just now, back soon
error-503-advice = Wait a few seconds and try again. Go back and what you wrote is still there.
request-id = If you write to us, mention
