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
signin-too-often = Too many tries. Wait a few minutes, or reset the password; where you are signed in you stay so.
forgot-password = Forgotten password
after-signup = Done. Sign in with what you just chose. If the e-mail address had an account already, we have written to it.
after-reset = The password is changed. Sign in with the new one.
after-deleted = The account is deleted. What you wrote is still there, without your name.
join = Join { $name }
join-hint = Reading needs no account. Writing, following and comment notices do.
username-label = User name
username-hint = Your address: { $name }username. Letters and digits of any script, - and _ between them.
account-email-label = E-mail address
account-email-hint = For signing in and for forgotten passwords. Never shown.
create-account = Create account
account-already = Already have one?
signup-not-now = Signing up is not possible
signup-closed = This site takes no new members.
signup-by-invitation = This site takes members by invitation. An invitation is good for an hour, and once.
username-missing = Please choose a user name.
username-too-long = The user name is too long: at most 30 characters.
username-odd = A user name has letters and digits, with single - or _ between them.
username-reserved = This user name is reserved.
username-taken = This user name, or one that looks like it, is taken.
email-missing = Please give your e-mail address.
email-wrong = This does not look like an e-mail address.
email-unusable = This e-mail address cannot be used for this account.
password-too-short = The password is too short: at least 8 characters.
password-too-short-staff = The password is too short: editors and administrators need at least 15 characters.
password-too-long = The password is too long: at most 256 characters.
password-common = This password is one of those that everybody tries first.
password-is-name = The password must not be your name, your e-mail address or the name of the site.
invitation-stale = This invitation was used, or is too old.
reset-hint = Give the e-mail address of your account; we send it a link that is good for an hour.
reset-send = Send the link
reset-sent = If there is an account with this address, the link is on its way. Look into your mail.
reset-stale = This link was used, or is too old. You can ask for another.
new-password = New password
save-password = Change password
current-password-label = Present password
current-password-wrong = The password is wrong.
password-change-hint = Other browsers will be signed out.
password-saved = Password changed; other browsers are signed out.
settings-saved = Saved.
not-saved-yet = Not saved yet. Please change this:
profile = Profile
account = Account
display-name-label = Display name
display-name-hint = Any script, up to 40 characters.
display-name-missing = Please give a display name.
display-name-too-long = The display name is too long: at most 40 characters.
bio-label = About you
bio-too-long = The text about you is too long: at most 500 characters.
city-label = City
city-too-long = The city is too long: at most 60 characters.
save-profile = Save profile
rename-hint = Your old address will always lead to the new one; nobody else gets it.
save-username = Change user name
save-email = Change e-mail address
sessions = Where you are signed in
this-browser = this browser
unknown-browser = Unknown browser
session-since = since { $name }
session-seen = last used { $name }
session-end = Sign out
sessions-end-others = Sign out everywhere else
delete-account = Delete account
delete-account-hint = Your name, e-mail address and profile go. Posts and comments stay, without your name. Nobody else ever gets your user name. This cannot be undone.
delete-account-open = I want to delete my account
delete-account-now = Delete for good
deleted-user = Deleted user
last-admin = You are the only administrator. Make somebody else one first.
mail-reset-subject = { $name }: reset your password
mail-reset =
    Somebody, hopefully you, asked for a new password. This link sets one; it is good for an hour, and once:

    { $name }

    If it was not you, do nothing. Your password is as it was.
mail-changed-subject = { $name }: your account was changed
mail-changed =
    The password or e-mail address of your account was just changed. If it was not you, reset the password at once:

    { $name }
mail-known-subject = { $name }: you have an account already
mail-known =
    Somebody signed up with this address, but it has an account already; nothing was changed. If you forgot the password, reset it here:

    { $name }
password-hint = At least { $shown } characters. Pasting from a password manager is welcome.
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
error-410 = This post is gone
error-410-advice = Its author has deleted it.
error-413 = This is too large
error-413-advice = What you sent is over the limit. Go back, shorten it, and send it again.
error-429 = Too often
error-429-advice = Wait a while and try again. Go back and what you filled in is still there.
error-500 = Something went wrong on our side
error-500-advice = Nothing you wrote was lost: go back and your browser will still have it. The fault was written down.
error-503 = Not reachable just now, back soon
error-503-advice = Wait a few seconds and try again. Go back and what you wrote is still there.
request-id = If you write to us, mention

# writing
write-post = Write
editing = Editing “{ $name }”
untitled = Untitled
title-label = Title
post-body-label = Text (Markdown)
post-body-hint = Markdown, at most 1 MB.
my-images = My images
save-draft = Save draft
update-post = Update
preview = Preview
publish = Publish
schedule = Schedule
unpublish = Back to draft
archive-post = Archive
move-to-bin = Move to bin
restore = Restore
post-settings = Settings of this post
tags-hint = Separated by commas, at most 10.
category = Category
no-category = None
excerpt-label = Excerpt
excerpt-hint = Shown in lists and search. Left empty, the beginning of the text is used.
slug-label = Address
slug-hint = Left empty, it is made from the title. If you change it once the post is public, the old address leads to the new one for good.
publish-at-label = Date of publication
publish-at-hint = In the time of { $name }. A time to come schedules the post.
lang-label = Language
lang-hint = Such as en or zh-CN. Left empty, it is told from the text.
cover-label = Cover
cover-hint = Address of an image on this site, such as /media/…
comments-open-label = Allow comments
search-engines = Search engines
seo-title-label = Title in search results
seo-description-label = Description in search results
noindex-label = Ask search engines not to list this post
about-this-post = This post
status = Status
status-draft = Draft
status-scheduled = Scheduled
status-published = Published
status-archived = Archived
status-deleted = Bin
saved-at = Saved { $name }
appears-at = Appears { $name }
view-post = View post
autosave-hint = With scripts allowed, unsaved text is kept on this device.
autosave-found = There is unsaved text on this device.
autosave-restore = Bring it back
revisions = Revisions
revisions-of = Revisions of “{ $name }”
all-revisions = All revisions
version-number = Version { $name }
current-version = Current
first-version = The first version
changes-since-last = Changes since the version before
no-differences = The texts do not differ.
restore-version = Restore this version
restore-version-hint = It becomes a new version; the text of now stays among the revisions.
back-to-editor = Back to the editor
preview-link = Preview link
preview-link-hint = Until it is public, whoever has the link can read it for 7 days.
make-preview-link = Make a link
end-preview-links = End the link
preview-only = This is an unpublished draft. Please do not pass it on.
preview-link-ended = The preview link works no more.
my-posts = My posts
nothing-here = No posts here yet.
done-saved = Saved.
done-published = Published.
done-scheduled = Scheduled. It will appear by itself.
done-draft = Taken back. Only you can see it now.
done-archived = Archived: it keeps its address, leaves all lists, and takes no comments.
done-restored = Restored as a draft.
not-saved-yet = Not saved yet. Please change this:
not-saved-now = The database cannot be reached. Your text is here; wait a moment and press the button again.
edited-meanwhile = Somebody else has just changed this post
edited-meanwhile-advice = Below are the text they saved (lines taken away) and yours (lines added). The form holds your text; saving once more makes it the newest version.
title-missing = Please give a title before you publish.
title-too-long = The title is too long: at most 200 characters.
post-body-missing = Please write something before you publish.
post-too-long = The text is too long: at most 1 MB.
excerpt-too-long = The excerpt is too long: at most 400 characters.
seo-too-long = This is too long: at most 300 characters.
tags-too-many = Too many tags: at most 10.
tag-too-long = One of the tags is too long: at most 30 characters.
category-unknown = This category is gone. Please choose another.
cover-odd = A cover must be an image of this site, such as /media/…
lang-odd = Write the language as en or zh-CN.
slug-taken = Too many posts want this address. Please choose another.
publish-at-odd = This is no time. Write it as 2026-05-12T08:30.
publish-at-missing = Scheduling needs a time.
publish-at-past = This time is over.
publish-at-future = A public post cannot lie in the future. Take it back first, then schedule it.
action-impossible = The post’s status does not allow this.
unpublished-note = Only you and editors can see this page.
edit-post = Edit

# images
images-refused = These files were not taken:
image-too-large = larger than 10 MB
image-unknown-kind = not a JPEG, PNG, GIF or WebP image
image-too-many-pixels = more than 40 million pixels, or more than 8,000 on one side
image-broken = damaged, or not sent completely
image-too-detailed = too detailed: too large even when compressed
images-too-many = at most 1,000 images for each member
no-image-chosen = No image was chosen.
images-stored = { $n ->
    [one] { $shown } image was stored.
   *[other] { $shown } images were stored.
}
add-images = Add images
images-hint = JPEG, PNG, GIF or WebP, at most 10 MB each. Where they were taken is wiped off.
upload = Upload
no-images = No images yet.
to-copy = To copy into the text
used-in = Used in
use-as-avatar = Use as avatar
delete-image = Delete
