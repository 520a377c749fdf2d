class Mail:
    pass


def send(mail, inbox):
    mail.forward(inbox)
    return inbox.messages[0].forward("me")
